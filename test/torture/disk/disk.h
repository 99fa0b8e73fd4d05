/* What test/torture/disk is made of: see main.c. */
#define _GNU_SOURCE
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

_Noreturn void fail(const char *what);

/* --- memory.c: what has been done to the files of a folder, and what of it a power cut may take back --- */

void memory_begin(const char *graveyard, uint64_t seed);
/* Call each before the thing is done. `fd` is any descriptor of the file. */
void note_write(int fd, off_t at, const void *bytes, size_t length);
void note_truncate(int fd, off_t size);
void note_create(const char *path);
void note_mkdir(const char *path);
void note_link(const char *path);
void note_unlink(const char *path);
void note_rename(const char *from, const char *to);
/* A sync of a file or a folder; one that fails leaves what was written before it to chance for ever, as Linux does. */
void note_sync(int fd, const char *path, int has_failed);

typedef struct {
  unsigned long writes, sectors_lost, names_lost;
} Loss;
/* Brings the files to a state that a disk may be in when the power fails: of what was not synced, `keep` of 100 sectors
   stay, and of the names that were made, changed and removed the first few. */
Loss lose_power(int keep);

/* --- client.c: runs a program whose file system calls the disk answers --- */

_Noreturn void run_client(const char *socket_path, char **argv);
