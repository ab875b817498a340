// Package policyv1 is the generated Go of policy.proto: what a visibility policy answers.
// The meaning of the contract is written in plugins/README.md. Do not edit the
// .pb.go files: `make proto` writes them.
package policyv1
