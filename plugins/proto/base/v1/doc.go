// Package basev1 is the generated Go of base.proto: what every plugin answers: who it is, how it fares, and the words that the other contracts share.
// The meaning of the contract is written in plugins/README.md. Do not edit the
// .pb.go files: `make proto` writes them.
package basev1
