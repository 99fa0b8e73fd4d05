#include <sys/types.h>

/* --- calls.c: what the disk answers to a call of a client --- */

typedef struct {
  int listener, process; /* of seccomp notifications, of the process itself */
  pid_t pid;
} Client;

typedef enum { SOUND, FULL, READ_ONLY, WRITE_ERROR, SYNC_ERROR } Condition;

extern const char *root;
extern Condition condition;
extern int sync_takes; /* milliseconds */
extern unsigned long calls;
extern long calls_left; /* until the power fails; -1: it does not */

/* Takes one call and answers it, now or later. 1 when the power is to fail instead. */
int answer_call(const Client *client);
/* Answers the syncs that are due; milliseconds until the next one is, or -1. */
int answer_syncs(void);
