/* A driver for the probe's tests. It answers what the environment says and runs
   nothing: FAKE_VERSION, FAKE_INIT (cuInit's error), FAKE_COUNT (devices). With
   FAKE_LOG, each call is written to that file. */
#include <stdio.h>
#include <stdlib.h>

static int asked(const char *name, int otherwise) {
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}

static void note(const char *call) {
    const char *path = getenv("FAKE_LOG");
    if (!path) return;
    FILE *file = fopen(path, "a");
    fprintf(file, "%s\n", call);
    fclose(file);
}

int cuDriverGetVersion(int *version) {
    note("cuDriverGetVersion");
    *version = asked("FAKE_VERSION", 13000);
    return 0;
}

int cuInit(unsigned flags) {
    note("cuInit");
    return asked("FAKE_INIT", 0);
}

int cuDeviceGetCount(int *count) {
    note("cuDeviceGetCount");
    *count = asked("FAKE_COUNT", 1);
    return 0;
}
