/* test_sha256.c - the published examples of SHA-256, and all lengths about a block's end. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "ctest.h"
#include "num/sha256.h"

static bool hashes_to(const char *text, const char *hex)
{
  uint8_t out[DPD_SHA256_BYTES];
  char shown[2 * DPD_SHA256_BYTES + 1];
  dpd_sha256((const uint8_t *)text, strlen(text), out);
  for (size_t k = 0; k < DPD_SHA256_BYTES; k++)
    snprintf(shown + 2 * k, 3, "%02x", (unsigned)out[k]);
  return strcmp(shown, hex) == 0;
}

/* FIPS 180-4's examples: none, one block, two blocks, many. */
static void published(void)
{
  static char million[1000001];
  memset(million, 'a', 1000000);
  CHECK(hashes_to("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
  CHECK(hashes_to("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
  CHECK(hashes_to("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
  CHECK(hashes_to(million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
}

/* Hashes of 0 to 130 bytes 'a', hashed together: the value is that of sha256sum. */
static void lengths(void)
{
  static char all[131 * DPD_SHA256_BYTES * 2 + 1];
  char text[131] = "";
  uint8_t out[DPD_SHA256_BYTES];
  for (size_t n = 0; n <= 130; n++) {
    dpd_sha256((const uint8_t *)text, n, out);
    for (size_t k = 0; k < DPD_SHA256_BYTES; k++)
      snprintf(all + 2 * (n * DPD_SHA256_BYTES + k), 3, "%02x", (unsigned)out[k]);
    if (n < 130) text[n] = 'a';
  }
  CHECK(hashes_to(all, "5eee4c50e1b5ec4f1a47f34c25ca988850b49da7904f5ab1b3abc5cc0ae66ef9"));
}

int main(void)
{
  published();
  lengths();
  return ctest_report("sha256");
}
