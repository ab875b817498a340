// Package asset finds files: maps, pictures and sounds, in folders and in .pk3
// archives, by names that can never lead outside them.
//
// A Path is a list of places, later ones in front. Its names are clean: relative,
// with forward slashes, no "..", nothing that a system could take for a drive or
// a device (Clean says no with a reason; text from the other side of a network
// goes through it or through MapName before anything else). A folder is opened
// with os.Root, so a link inside it that points out is refused too.
//
// Lookup: the exact name in the newest place first, then the older ones; only
// when none has it, the same round regardless of case inside archives, because
// maps were written on systems that ignored case.
//
// Everything read is bounded: MaxFile bytes of a file, MaxEntries of an archive,
// and an archive entry must be as long as it says and not unpack to absurdly more
// than is stored. DecodeImage bounds a picture's sides before it allocates.
//
// A Path and the places are built, then read by any number of goroutines, then
// closed. Bytes that are returned belong to the caller.
package asset
