#include "disk.h"
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECTOR = 512 };

typedef struct {
  enum { WRITE, TRUNCATE } kind;
  off_t at; /* where a write begins, or the new size */
  size_t length, old_length;
  uint8_t *bytes, *old; /* what is written, and what stood there or behind the new end */
  off_t old_size;
  int is_synced, is_left_to_chance;
} Change;

typedef struct {
  dev_t device;
  ino_t number;
  int fd;
  Change *changes;
  size_t count, room;
} File;

typedef struct {
  enum { CREATE, MKDIR, LINK, UNLINK, RENAME } kind;
  char *path, *to;
  char *kept; /* the file that the change takes away from its name, under another one */
  int is_synced;
} Naming;

static File *files;
static Naming *namings;
static size_t file_count, naming_count, kept_count;
static const char *graveyard;
static uint64_t state;

void memory_begin(const char *folder, uint64_t seed) {
  graveyard = folder;
  state = seed;
}

static int drawn_below(unsigned limit) { /* splitmix64 */
  uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return (z ^ (z >> 31)) % limit;
}

static void *take(void *memory, size_t bytes) {
  void *taken = realloc(memory, bytes ? bytes : 1);
  if (!taken) fail("memory");
  return taken;
}

static off_t size_of(int fd) {
  struct stat about;
  if (fstat(fd, &about) != 0) fail("fstat");
  return about.st_size;
}

static File *file_of(int fd) {
  struct stat about;
  if (fstat(fd, &about) != 0) fail("fstat");
  for (size_t i = 0; i < file_count; i++)
    if (files[i].number == about.st_ino && files[i].device == about.st_dev) return &files[i];
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  files = take(files, (file_count + 1) * sizeof *files);
  File *file = &files[file_count++];
  *file = (File){.device = about.st_dev, .number = about.st_ino, .fd = open(path, O_RDWR | O_CLOEXEC)};
  if (file->fd < 0) fail("a file of the folder");
  return file;
}

static Change *add_change(File *file, int kind, off_t at, size_t length, size_t old_length) {
  if (file->count == file->room) {
    file->room = file->room ? 2 * file->room : 64;
    file->changes = take(file->changes, file->room * sizeof *file->changes);
  }
  Change *change = &file->changes[file->count++];
  *change = (Change){.kind = kind, .at = at, .length = length, .old_size = size_of(file->fd)};
  change->old = take(NULL, old_length);
  ssize_t got = pread(file->fd, change->old, old_length, at);
  if (got < 0) fail("pread");
  change->old_length = got;
  return change;
}

void note_write(int fd, off_t at, const void *bytes, size_t length) {
  Change *change = add_change(file_of(fd), WRITE, at, length, length);
  change->bytes = take(NULL, length);
  memcpy(change->bytes, bytes, length);
}

void note_truncate(int fd, off_t size) {
  off_t behind = size_of(fd) - size;
  add_change(file_of(fd), TRUNCATE, size, 0, behind > 0 ? behind : 0);
}

static Naming *add_naming(int kind, const char *path) {
  namings = take(namings, (naming_count + 1) * sizeof *namings);
  namings[naming_count] = (Naming){.kind = kind, .path = strdup(path)};
  return &namings[naming_count++];
}

/* A second name for a file that is about to lose the first. */
static char *keep(const char *path) {
  char kept[PATH_MAX];
  snprintf(kept, sizeof kept, "%s/%zu", graveyard, kept_count++);
  return link(path, kept) == 0 ? strdup(kept) : NULL;
}

void note_create(const char *path) { add_naming(CREATE, path); }
void note_mkdir(const char *path) { add_naming(MKDIR, path); }
void note_link(const char *path) { add_naming(LINK, path); }

void note_unlink(const char *path) { add_naming(UNLINK, path)->kept = keep(path); }

void note_rename(const char *from, const char *to) {
  char *kept = keep(to);
  Naming *naming = add_naming(RENAME, from);
  naming->to = strdup(to);
  naming->kept = kept;
}

static int is_in(const char *path, const char *folder) {
  size_t length = strlen(folder);
  return path && strncmp(path, folder, length) == 0 && path[length] == '/' && !strchr(path + length + 1, '/');
}

static void forget(File *file) {
  for (size_t i = 0; i < file->count; i++) free(file->changes[i].bytes), free(file->changes[i].old);
  file->count = 0;
}

void note_sync(int fd, const char *path, int has_failed) {
  struct stat about;
  if (fstat(fd, &about) != 0) fail("fstat");
  if (S_ISDIR(about.st_mode)) {
    for (size_t i = 0; i < naming_count && !has_failed; i++)
      if (is_in(namings[i].path, path) || is_in(namings[i].to, path)) namings[i].is_synced = 1;
    return;
  }
  File *file = file_of(fd);
  int is_all_synced = 1;
  for (size_t i = 0; i < file->count; i++) {
    Change *change = &file->changes[i];
    if (has_failed && !change->is_synced) change->is_left_to_chance = 1;
    if (!change->is_left_to_chance) change->is_synced = 1;
    is_all_synced &= change->is_synced;
  }
  if (is_all_synced) forget(file);
}

static void put(int fd, const uint8_t *bytes, size_t length, off_t at) {
  if (pwrite(fd, bytes, length, at) != (ssize_t)length) fail("pwrite");
}

static void undo(int fd, const Change *change) {
  put(fd, change->old, change->old_length, change->at);
  if (ftruncate(fd, change->old_size) != 0) fail("ftruncate");
}

/* How many sectors are lost. */
static unsigned long redo(int fd, const Change *change, int keep_of_100) {
  int is_whole = change->is_synced;
  if (change->kind == TRUNCATE) {
    if (!is_whole && drawn_below(100) >= keep_of_100) return 1;
    if (ftruncate(fd, change->at) != 0) fail("ftruncate");
    return 0;
  }
  unsigned long lost = 0;
  for (size_t done = 0; done < change->length;) {
    off_t at = change->at + done;
    size_t part = SECTOR - at % SECTOR;
    if (part > change->length - done) part = change->length - done;
    if (is_whole || drawn_below(100) < keep_of_100) put(fd, change->bytes + done, part, at);
    else lost++;
    done += part;
  }
  return lost;
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *at) {
  (void)about, (void)type, (void)at;
  return remove(path);
}

static void undo_naming(const Naming *naming) {
  switch (naming->kind) {
    case CREATE:
    case LINK: unlink(naming->path); break;
    case MKDIR: nftw(naming->path, remove_one, 16, FTW_DEPTH | FTW_PHYS); break;
    case UNLINK: break;
    case RENAME:
      if (rename(naming->to, naming->path) != 0) fail(naming->to);
      break;
  }
  const char *name = naming->kind == RENAME ? naming->to : naming->path;
  if (naming->kept && link(naming->kept, name) != 0) fail(name);
}

Loss lose_power(int keep_of_100) {
  Loss loss = {0};
  size_t first_lost = keep_of_100 == 0 ? 0 : keep_of_100 == 100 ? naming_count : (size_t)drawn_below(naming_count + 1);
  for (size_t i = naming_count; i-- > first_lost;)
    if (!namings[i].is_synced) undo_naming(&namings[i]), loss.names_lost++;
  for (size_t i = 0; i < file_count; i++) {
    File *file = &files[i];
    for (size_t j = file->count; j-- > 0;) undo(file->fd, &file->changes[j]);
    for (size_t j = 0; j < file->count; j++) loss.sectors_lost += redo(file->fd, &file->changes[j], keep_of_100);
    for (size_t j = 0; j < file->count; j++) loss.writes += !file->changes[j].is_synced;
    forget(file);
  }
  naming_count = 0;
  return loss;
}
