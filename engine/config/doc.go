// Package config reads TOML, strictly. It is the only importer of the TOML
// library; everything else is handed variables or plain structs with tags.
//
// The way of a file through it:
//
//  1. Parse bounds the work (size, nesting, key lengths, number of keys), refuses
//     what is not UTF-8 text by a sentence, notes the line of every key, and runs
//     the library with a last-resort recover around it.
//  2. Doc.Vars maps [server] max_clients = 8 to the variable server.max_clients
//     of a console.Registry; Doc.Decode fills a struct.
//  3. Every key must be known and every value of the right type and range. All
//     mistakes of a file are reported together, each with file, line, full key
//     and, for an unknown key, the nearest known one or the table it belongs to.
//  4. A refused file changes nothing: not a variable, not a field.
//
// A whole number is taken where a decimal is due, never the reverse. An empty
// file means defaults. A byte-order mark and CRLF line ends are accepted.
//
// Values from the environment (LoadEnv) and the command line (ParsePlusArgs,
// ApplyPlus) go through the same checks into higher layers. Register adds the
// command "config explain NAME", which prints which layer won. Reference and
// Template write the documentation of all settings from their declarations.
//
// Files come through ReadFile from a file system that the host names. Functions may be called from any goroutine; a Doc is
// immutable.
package config
