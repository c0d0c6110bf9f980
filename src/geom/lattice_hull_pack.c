/* lattice_hull_pack.c - polytopes of lattice points in space, in few bytes.
 *
 * METHOD: faces in use and corners, one after the other. COST: O(corners + faces).
 */
#include <string.h>

#include "geom/lattice_hull.h"

/* What stands before a packed hull's corners and faces. */
typedef struct {
  uint64_t faces;
  double reach;
  int corners;
} packed_head;

static size_t face_count(uint64_t faces)
{
  size_t count = 0;
  for (; faces != 0; faces &= faces - 1)
    count++;
  return count;
}

size_t dpd_hull_pack_size(const dpd_hull *h)
{
  return sizeof(packed_head) + face_count(h->faces) * sizeof *h->face +
         (size_t)h->corners * (9 * sizeof *h->x[0] + sizeof *h->f + sizeof *h->next);
}

static unsigned char *put(unsigned char *to, const void *from, size_t size)
{
  memcpy(to, from, size);
  return to + size;
}

static const unsigned char *take(const unsigned char *from, void *to, size_t size)
{
  memcpy(to, from, size);
  return from + size;
}

void dpd_hull_pack(const dpd_hull *h, void *out)
{
  const packed_head head = {h->faces, h->reach, h->corners};
  const size_t corners = (size_t)h->corners;
  unsigned char *to = put(out, &head, sizeof head);
  for (int f = 0; f < DPD_HULL_FACES && h->faces >> f != 0; f++)
    if (h->faces >> f & 1) to = put(to, h->face + f, sizeof *h->face);
  for (int j = 0; j < 3; j++) {
    to = put(to, h->x[j], corners * sizeof *h->x[j]);
    to = put(to, h->z[j], corners * sizeof *h->z[j]);
    to = put(to, h->rest[j], corners * sizeof *h->rest[j]);
  }
  to = put(to, h->f, corners * sizeof *h->f);
  (void)put(to, h->next, corners * sizeof *h->next);
}

void dpd_hull_unpack(const void *packed, dpd_hull *out)
{
  packed_head head;
  const unsigned char *from = take(packed, &head, sizeof head);
  const size_t corners = (size_t)head.corners;
  out->faces = head.faces;
  out->reach = head.reach;
  out->corners = head.corners;
  for (int f = 0; f < DPD_HULL_FACES && out->faces >> f != 0; f++)
    if (out->faces >> f & 1) from = take(from, out->face + f, sizeof *out->face);
  for (int j = 0; j < 3; j++) {
    from = take(from, out->x[j], corners * sizeof *out->x[j]);
    from = take(from, out->z[j], corners * sizeof *out->z[j]);
    from = take(from, out->rest[j], corners * sizeof *out->rest[j]);
  }
  from = take(from, out->f, corners * sizeof *out->f);
  (void)take(from, out->next, corners * sizeof *out->next);
}
