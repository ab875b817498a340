//go:build !unix

package sdk

// dieWithParent: the end of the stream does it here.
func dieWithParent() {}

// guardStdout cannot move descriptors here; go-plugin takes os.Stdout over after
// the handshake.
func guardStdout() {}
