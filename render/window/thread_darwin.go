package window

/*
#include <pthread.h>
#include <stdint.h>
static uint64_t sightline_thread(void) {
	uint64_t id = 0;
	pthread_threadid_np(NULL, &id);
	return id;
}
*/
import "C"

// threadID returns the system's number of the calling thread.
func threadID() uint64 { return uint64(C.sightline_thread()) }
