# The quantities behind the projection median's margin, for all twelve pairs of location and scale on skewed
# data; and C kernels with planted bugs, which the same checks must reject. Nothing here is random but the
# choice of data, which is fixed.

skip_on_cran()

set.seed(710)
sets <- c(brute_sets(), huber_sets())
seen <- lapply(sets, brute_seen, 3L, audit_size(14, 25))

test_that("nothing within K replacements leaves the bounds, which are nested, and margins move by one", {
  expect_identical(margin_faults(run_package, sets, seen), character())
})

test_that("the data make the bounds of every pair finite now and then", {
  finite <- vapply(seq_len(nrow(brute_pairs)), function(j) {
    pair <- brute_pairs[j, ]
    sum(vapply(sets, function(y) {
      is.finite(run_package(y, pair$location, pair$scale, 1, 1, 1, 3L)$bounds[1, "location_shift"])
    }, NA))
  }, 0)
  expect_gt(min(finite), 5)
})

# file, text, what it becomes, the pair that shows it
kernel_bugs <- list(
  "the location's move dropped from the trimmed deviation's bound" =
    list("margin/deviation", "one / kept + most / kept * shift + 2 * error", "one / kept + 2 * error",
         "trimmed/trimmed"),
  "the counts of a trimmed deviation's two sides, K too small" =
    list("margin/deviation", "return kept_of(v, count + K) - kept_of(v, v->n - count - K);",
         "return kept_of(v, count) - kept_of(v, v->n - count);", "trimmed/trimmed"),
  "one number of a trimmed deviation by half the trimmed mean's move" =
    list("margin/deviation", "double one = fmin(dpd_reach_span(v->low, v->high, K), ",
         "double one = fmin(dpd_reach_span(v->low, v->high, K) / 2, ", "trimmed/trimmed"),
  "one number of a trimmed deviation from the sample's own ends" =
    list("margin/deviation", "fmax(high - lower, upper - low));",
         "fmax(v->high[0] - lower, upper - v->low[0]));",
         "median/trimmed"),
  "a trimmed deviation's least over one window less" =
    list("margin/deviation", "for (int from = 0; from <= K; from++) {",
         "for (int from = 1; from < K; from++) {",
         "median/trimmed"),
  "a trimmed deviation's least over windows that lose nothing at the top" =
    list("margin/deviation", "int less = K - from;", "int less = 0;", "median/trimmed"),
  "a trimmed deviation's two sides, one of the number" =
    list("margin/deviation", "fmax(high - lower, upper - low)", "high - lower", "trimmed/trimmed"),
  "a trimmed deviation's surplus below alone" =
    list("margin/deviation", "fmax(fmax(surplus(v, below[K - 1], K), surplus(v, above[K - 1], K)), 0)",
         "fmax(surplus(v, below[K - 1], K), 0)", "mom/trimmed"),
  "a trimmed deviation's counts one K late" =
    list("margin/deviation", "    count[end - 1]++;", "    count[end < most ? end : end - 1]++;",
         "trimmed/trimmed"),
  "a trimmed deviation's ties at the end" =
    list("margin/deviation", "at_low += y <= low;", "at_low += y < low;", "trimmed/trimmed"),
  "2 K dropped from the counts of Huber's location" =
    list("margin/huber", "most += 2.0 * b->K;", "", "huber/mad"),
  "the limit of condition (2) does not fall with k" =
    list("margin/projection", "- (K + 1) * DPD_CENTRAL_STEP", "", "median/mad"),
  "spans of one window less" =
    list("margin/location", "for (int t = 0; t <= K; t++) {\n    double gap = high[t]",
         "for (int t = 0; t < K; t++) {\n    double gap = high[t]", "median/mad"),
  "a trimmed mean's move by twice the count" =
    list("margin/location", "high, K) / kept + 2 * error;", "high, K) / (2 * kept) + 2 * error;",
         "trimmed/iqr"),
  "a trimmed mean's range one rank short" =
    list("margin/location", "up += (high[K] - low[K - 1]) / kept;",
         "up += (high[K - 1] - low[K - 1]) / kept;", "trimmed/iqr"),
  "the trimmed deviation's least by one step" =
    list("margin/deviation", "sum += r->scale_shift[K - 1] * (1 + K * 0x1p-30);",
         "sum = r->scale_shift[K - 1] * (1 + K * 0x1p-30);", "trimmed/trimmed"),
  "the interquartile range's least over one window less" =
    list("margin/location", "for (int s = 0; s <= K; s++) {", "for (int s = 0; s < K; s++) {",
         "median/iqr"),
  "the smaller of two moves of the interquartile range" =
    list("margin/location", "up > down ? up : down", "up < down ? up : down", "median/iqr"),
  "the MAD's least over windows of one number more" =
    list("margin/mad", "int size = e->p - K,", "int size = e->p - K + 1,", "median/mad"),
  "the MAD's least about the sample's median" =
    list("margin/mad",
         "double a = e->middle[e->most - K], b = e->middle[e->most + K], best = INFINITY;",
         "double a = e->middle[e->most], b = a, best = INFINITY;", "median/mad"),
  "the MAD's change over one l less" = list("margin/mad", "for (int l = 1; l <= K && best",
                                            "for (int l = 1; l < K && best", "median/mad"),
  "Huber's slope of K numbers too many" = list("margin/huber", "inner -= b->K;", "", "huber/iqr"),
  "Huber's bend that does not change" =
    list("margin/huber", "(2 + most * (b->change / b->min))", "2", "huber/iqr"),
  "Huber's range a single step's" =
    list("margin/huber", "sum += shift * growth;", "sum = shift * growth;", "huber/iqr"),
  "the smaller of the two gaps next to the median" =
    list("margin/location", "r->shift[K - 1] = dpd_reach_span(w, w, K);",
         "r->shift[K - 1] = w[1] - w[0] < w[0] - w[-1] ? w[1] - w[0] : w[0] - w[-1];", "median/iqr"),
  "a median of means of the next rank" =
    list("margin/projection", "int rank = (c->blocks + 1) / 2;", "int rank = c->blocks / 2 + 1;", "mom/iqr"),
  "the location's move dropped from the MAD's change" =
    list("margin/mad", "      double value = smaller(0.5 * (low + up), smaller(low, up) + s->shift);",
         "      double value = smaller(0.5 * (low + up), smaller(low, up));", "median/mad"),
  "intervals passed over by the wrong end" =
    list("margin/mad", "left - inward(s->high[first - u] - s->b) <= best",
         "left - inward(s->high[last - u] - s->b) <= best", "median/mad"),
  "intervals passed over by the other wrong end" =
    list("margin/mad", "outward(s->high[last] - s->a) - right <= best",
         "outward(s->high[first] - s->a) - right <= best", "median/mad"),
  "Huber's location where the middle range is shorter than the bend" =
    list("margin/huber", "b.min > 0 && gap[K - 1] >= b.largest", "b.min > 0", "huber/iqr"),
  "a trimmed mean's range rounded inward" =
    list("margin/location", "location + (up + 8 * K * error)", "location + (up - 8 * K * error)",
         "trimmed/iqr"),
  "a trimmed deviation's sums with ties at the end counted twice" =
    list("margin/deviation", "down += y > low && y < middle", "down += y >= low && y < middle",
         "median/trimmed"),
  "the limit of condition (1) rounded outward" =
    list("margin/projection", "return m->eta * (1 - 0x1p-30) - tau * 0x1p-48;",
         "return m->eta * (1 + 0x1p-30);", "median/mad"),
  "an order statistic's range one rank short" =
    list("margin/location", "r->upper[K - 1] = w[K];", "r->upper[K - 1] = w[K - 1];", "median/iqr"),
  "tau forgotten in condition (1)" =
    list("margin/projection", "*holds = (shift + tau * r->scale_shift[known - 1]) / min <= limit;",
         "*holds = shift / min <= limit;", "median/mad"),
  "the scale of one level less in condition (2)" =
    list("margin/projection", ".min = t->min + off,", ".min = t->min + (off > 0 ? off - 1 : 0),",
         "median/mad")
)

test_that("bugs planted in the C kernels are seen, each of them", {
  folder <- source_folder()
  skip_if(is.null(folder), "the sources are not here")
  build <- margin_builder(folder)
  run <- function(bug = list()) {
    library <- do.call(build, unname(bug[seq_len(min(3, length(bug)))]))
    on.exit(library$close())
    pairs <- brute_pairs
    if (length(bug) == 4) pairs <- pairs[paste0(pairs$location, "/", pairs$scale) == bug[[4]], ]
    margin_faults(library$run, sets, seen, pairs, first = TRUE)
  }
  # the kernels as they are pass (whole: the first test)
  expect_identical(margin_faults(build()$run, sets[1:12], seen[1:12]), character())
  for (name in names(kernel_bugs)) expect_gt(length(run(kernel_bugs[[name]])), 0, label = name)
})
