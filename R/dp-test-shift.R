# The shift between two samples with limits: all differences x - y, in the scans of an interval of a median.
#
# METHOD: where x and y + theta have one distribution, #{x - y >= theta} and #{x - y <= theta} are
#   stochastically at least as large as Mann and Whitney's U, ties or not. So the limits are those of the
#   differences' median, by the scans of R/mech-interval.R, with thresholds by the distribution of U in place
#   of the binomial distribution. One row moves as many differences as the other sample has rows, all one way:
#   epsilon is that of one difference, times that. More than 4e6 differences are taken within blocks of both
#   samples alone, which are random and of public sizes, at most as many as the smaller sample has rows.
# REFERENCE: Hodges and Lehmann (1963); vignettes/proofs-tests.Rmd, section 6.

shift_mechanism <- function() two_samples_mechanism(plan_shift, draw_shift, "rank")

# Limits of two samples of public sizes, by the test that they go with.
two_samples_mechanism <- function(plan, draw, test) {
  new_mechanism(
    plan, draw, data = function(given) if (given$formula) "data" else "x",
    read = function(given) read_samples(given, test),
    keep = keep_test_rows, limits = FALSE, typed = FALSE, incomplete = NULL,
    facts = function(rows, given) {
      list(n = nrow(rows$x) + nrow(rows$y), d = 1L, sizes = c(nrow(rows$x), nrow(rows$y)), private = FALSE)
    },
    persons = function(given) if (!given$formula) samples_persons(given$x, given$y)
  )
}

# PRIVATE: what is given.
read_samples <- function(given, test) {
  if (given$formula) {
    stop_input("interval", "left out with a formula", "given",
               paste("Where groups are private there are no limits. If who is in which is public, give",
                     "two samples: x = v[g == \"a\"], y = v[g == \"b\"]. dp_correlation() has those of a",
                     "trend."))
  }
  if (given$one) {
    stop_input("interval", "left out for one sample and for pairs", "given",
               "dp_median() has limits: of the rows, or of the differences of pairs.")
  }
  alternative <- check_choice(given$alternative, c("two.sided", "greater", "less"), "alternative")
  unfit <- c(test = !is.null(given$test) && !identical(given$test, test), mu = !identical(given$mu + 0, 0),
             alternative = alternative != "two.sided", share = !is.null(given$share))
  if (unfit[["test"]]) {
    stop_input("test", "\"rank\" or \"sign\" with `interval`", describe(given$test),
               "\"rank\" has limits of the shift, \"sign\" limits of both medians and their difference.")
  }
  if (any(unfit)) {
    stop_input(names(unfit)[unfit][[1]], "left out with `interval`", "given",
               "The limits are two-sided: what lies beyond them is rejected at their level.")
  }
  list(x = check_data(given$x, "x", max_d = 1L), y = check_data(given$y, "y", max_d = 1L))
}

# By lower and upper.
samples_prior <- function(given, what) {
  public_prior(NULL, given$lower, given$upper, 1L, instead = "they may be wide")
  quantile_prior(NULL, given$lower, given$upper, given$resolution, list(variables = what))
}

check_samples_budget <- function(sizes, epsilon) {
  if (min(sizes) * epsilon > min_interval_budget) return(invisible(NULL))
  stop_input("interval", "NULL with so few rows for this `epsilon`",
             sprintf("asked for with %d and %d rows and epsilon = %s", sizes[[1]], sizes[[2]],
                     format(epsilon)),
             sprintf("It takes at least %s rows of either sample, or a larger `epsilon`.",
                     grouped(floor(min_interval_budget / epsilon) + 1)))
}

plan_shift <- function(facts, given) {
  limits <- samples_prior(given, "shift")
  prior <- limits$prior
  level <- check_interval_level_given(given$interval)
  check_samples_budget(facts$sizes, given$epsilon)
  blocks <- shift_blocks(facts$sizes[[1]], facts$sizes[[2]])
  plan <- shift_plan(blocks, level, given$epsilon, interval_reach(prior, limits$resolution))
  resolved <- interval_resolves(list(plan), list(prior), limits$resolution, names = "shift")
  list(
    label = "shift with interval", what = "shift of x against y", terms = "shift", plan = plan, prior = prior,
    resolution = limits$resolution, blocks = blocks,
    mechanism = paste(interval_mechanism, "over all differences"),
    details = c(
      list(prior = prior, level = level, shares = interval_split(list(plan)), resolves = resolved$at,
           covers = paste0("the shift of the distribution of x against that of y",
                           rounded_to(prior, limits$resolution)),
           assumes = "rows are independent draws of two distributions that differ in a shift alone"),
      limits$step
    ),
    warn = function(said) warn_interval(list(plan))
  )
}

most_differences <- 4e6

# How many blocks there are, and of how many rows of either sample: none is without rows.
shift_blocks <- function(a, b, most = most_differences) {
  count <- min(a, b, max(1, ceiling(as.double(a) * b / most)))
  part <- function(n, extra) n %/% count + extra
  sizes <- data.frame(a = part(a, seq_len(count) <= a %% count),
                      b = part(b, seq_len(count) > count - b %% count))
  same <- paste(sizes$a, sizes$b)
  kinds <- sizes[!duplicated(same), ]
  kinds$count <- as.vector(table(factor(same, unique(same))))
  kinds
}

# As interval_plan(), of differences in place of rows.
shift_plan <- function(blocks, level, epsilon, reach) {
  differences <- sum(blocks$a * blocks$b * blocks$count)
  each <- epsilon / max(blocks$a, blocks$b)
  sizes <- paste(sprintf("%.0f", unlist(blocks)), collapse = " ")
  found_law(sprintf("shift %s: %a %a %a", sizes, level, each, reach), function() {
    law <- mann_whitney_law(blocks$a, blocks$b, blocks$count)$laws[[1]]
    narrowest_plan(differences, 0.5, level, each, reach, function(n, p, alpha, rates) {
      shift_threshold(law, n, alpha, rates)
    })
  })
}

# The largest whole t with P(U + nu - rho <= t) <= alpha.
shift_threshold <- function(law, n, alpha, rates) {
  fits <- function(t) sum(law$weight * noise_below(t - law$score, rates)) * (1 + 1e-9) + 1e-11 <= alpha
  low <- -n
  high <- n
  if (!fits(low)) {
    stop_input("interval", "a level that so few rows can have", "a higher one", "Ask for a lower one.")
  }
  while (high - low > 1) {
    middle <- floor((low + high) / 2)
    if (fits(middle)) low <- middle else high <- middle
  }
  as.integer(low)
}

# PRIVATE: rows.
draw_shift <- function(rows, plan, source) {
  d <- differences_of(rows$x, rows$y, plan$blocks, source)
  draw_intervals(d, list(plan$plan), plan$prior, source, plan$resolution)
}

# A matrix of one column. Rows are in blocks by a random order. PRIVATE: x, y.
differences_of <- function(x, y, blocks, source) {
  sizes <- blocks[rep(seq_len(nrow(blocks)), blocks$count), ]
  if (nrow(sizes) > 1) {
    x <- x[random_order(length(x), source)]
    y <- y[random_order(length(y), source)]
  }
  part <- function(v, sizes) split(as.vector(v), rep(seq_along(sizes), sizes))
  all <- function(x, y) as.vector(outer(x, y, `-`))
  d <- unlist(Map(all, part(x, sizes$a), part(y, sizes$b)), use.names = FALSE)
  most <- .Machine$double.xmax
  matrix(pmin(pmax(d, -most), most))
}
