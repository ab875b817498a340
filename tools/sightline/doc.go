// Command sightline is the one command line of the project: each subcommand looks
// into one kind of thing the engine reads or writes, or measures it.
//
//	sightline map info FILE         what is in a map, and what is wrong with it
//	sightline map trace FILE        what a ray or a swept box meets
//	sightline map diff A B          how often two maps answer differently
//	sightline map draw FILE -o PNG  a view from above
//	sightline ledger FILE           who was told of whom, when and why
//	sightline plugin new policy X   a module of one's own with a first policy in it
//	sightline token mint ...        a connect token, as a matchmaker makes it
//
// One file holds one subcommand. Commands write results to standard output and
// errors, in one line, to standard error; the exit status is 0 only when what was
// asked for was done. Everything random takes a seed.
package main
