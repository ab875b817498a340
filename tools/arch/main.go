// Command arch prints the import table of the module: which package may import
// what, and why the fence stands where it stands. Its test holds the code to it.
//
//	go run ./tools/arch          the table
//	go run ./tools/arch check    every breach; exit status 1 if there is one
package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	if len(os.Args) == 1 {
		printTable(os.Stdout)
		return
	}
	if len(os.Args) > 2 || os.Args[1] != "check" {
		fmt.Fprintln(os.Stderr, "usage: arch [check]")
		os.Exit(2)
	}
	all, err := load(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	breaches := check(all, table, fences)
	for _, b := range breaches {
		fmt.Println(b)
	}
	if len(breaches) > 0 {
		os.Exit(1)
	}
	fmt.Println("every import is one that the table allows")
}

func printTable(w io.Writer) {
	fmt.Fprint(w, "A package may import the standard library, what its row names, and what its row covers.\n\n")
	for _, r := range table {
		fmt.Fprintf(w, "%s\n", strings.Join(r.Packages, " "))
		may := append(append([]string(nil), r.May...), r.Ext...)
		if len(may) == 0 {
			may = []string{"nothing further"}
		}
		wrap(w, "    may import  ", may)
		fmt.Fprintf(w, "    because     %s\n", r.Why)
	}
	fmt.Fprint(w, "\nFences, through any number of packages:\n\n")
	for _, f := range fences {
		not := f.Not
		if f.Cgo {
			not = append(append([]string(nil), not...), "cgo")
		}
		fmt.Fprintf(w, "%s\n", strings.Join(f.From, " "))
		wrap(w, "    never reach ", not)
		fmt.Fprintf(w, "    because     %s\n", f.Why)
	}
}

// wrap writes words after a heading, in lines of about a hundred letters.
func wrap(w io.Writer, head string, words []string) {
	line := head
	for _, word := range words {
		if len(line)+len(word) > 100 && line != head {
			fmt.Fprintln(w, strings.TrimRight(line, " "))
			line = strings.Repeat(" ", len(head))
		}
		line += word + " "
	}
	fmt.Fprintln(w, strings.TrimRight(line, " "))
}
