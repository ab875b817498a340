// Package rulesv1 is the generated Go of rules.proto: what game rules answer.
// The meaning of the contract is written in plugins/README.md. Do not edit the
// .pb.go files: `make proto` writes them.
package rulesv1
