// Package tables holds the numbers that movement, weapons and damage run on, as
// data: validated, versioned and hashed, so that a server and its clients can
// tell whether they agree. All lengths in metres, speeds in m/s, times in
// milliseconds unless a field says otherwise. A table is read-only once in use.
package tables
