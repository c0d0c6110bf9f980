# The medians of two samples and their difference with limits: an interval of each median.
#
# METHOD: the samples have public sizes and no row in common, so that the interval of either median has all of
#   epsilon. The difference lies beyond its limits only if a median lies beyond its own: the risks add up, and
#   all three intervals hold together. The median of the smaller sample, whose interval is the wider one, has
#   the larger share of the risk: of a few shares the one with the least planned width. Neither interval pays
#   for spreads that the other does not resolve.
# REFERENCE: McSherry (2009), Theorem 4; vignettes/proofs-tests.Rmd, section 7.

medians_mechanism <- function() two_samples_mechanism(plan_two_medians, draw_two_medians, "sign")

plan_two_medians <- function(facts, given) {
  sizes <- facts$sizes
  epsilon <- given$epsilon
  limits <- samples_prior(given, "median")
  level <- check_interval_level_given(given$interval)
  check_samples_budget(sizes, epsilon)
  prior <- limits$prior
  plans <- two_medians_plan(sizes, level, epsilon, interval_reach(prior, limits$resolution))
  priors <- list(prior, prior)
  resolved <- interval_resolves(plans, priors, limits$resolution, names = c("x", "y"))
  list(
    label = "difference of medians with interval", what = "medians and their difference",
    class = "dp_difference", terms = c("median of x", "median of y", "difference"), plans = plans,
    prior = prior, resolution = limits$resolution,
    mechanism = paste0(interval_mechanism, ", for each sample"),
    details = c(
      list(prior = prior, level = level, simultaneous = TRUE, shares = interval_split(plans),
           risks = stats::setNames((1 - vapply(plans, `[[`, 0, "level")) / (1 - level), c("x", "y")),
           covers = paste0("the medians of both distributions", rounded_to(prior, limits$resolution),
                           " and their difference"),
           assumes = "the rows of each sample are independent draws of one distribution",
           resolves = resolved$at),
      limits$step
    ),
    warn = function(said) warn_interval(plans)
  )
}

# Shares of the risk that the median of the smaller sample may have.
smaller_risks <- c(0.5, 0.6, 0.7, 0.8)

# A plan for each sample, in their order.
two_medians_plan <- function(sizes, level, epsilon, reach) {
  key <- sprintf("medians %.0f %.0f: %a %a %a", sizes[[1]], sizes[[2]], level, epsilon, reach)
  found_law(key, function() {
    risks <- if (sizes[[1]] == sizes[[2]]) 0.5 else smaller_risks
    menu <- lapply(risks, function(smaller) {
      share <- if (sizes[[1]] < sizes[[2]]) c(smaller, 1 - smaller) else c(1 - smaller, smaller)
      two <- function(reach) {
        Map(function(n, share) {
          interval_plans(n, 0.5, 1 - (1 - level) * share * (1 - 2^-40), epsilon, reach)[[1]]
        }, sizes, share)
      }
      two(common_reach(two(reach), reach))
    })
    menu[[which.min(vapply(menu, doors_width, 0))]]
  })
}

# Half the limits' width in the least spread that both plans resolve, a power of ten, or what is asked for.
common_reach <- function(plans, reach) {
  resolved <- max(vapply(plans, resolved_plan, 0))
  min(reach, 10^ceiling(log10(max(10, 0.5 / resolved))))
}

# The expected width of the limits of a difference, of normal rows in their standard deviation. `half`: of
# the limits.
medians_width <- function(plans, half = 10) {
  sum(vapply(plans, function(plan) limits_width(plan$n, plan, half)$width, 0))
}

# The same for limits of any width that the plans prepare for.
doors_width <- function(plans) {
  reaches <- 10^seq_len(max(1, floor(log10(common_reach(plans, most_reach)))))
  sum(vapply(plans, function(plan) exp(mean(log(door_widths(plan$n, plan, reaches)))), 0))
}

# PRIVATE: rows.
draw_two_medians <- function(rows, plan, source) {
  drawn <- Map(function(x, of) draw_intervals(x, list(of), plan$prior, source, plan$resolution),
               rows, plan$plans)
  ends <- rbind(drawn$x$interval, drawn$y$interval)
  points <- c(drawn$x$estimate, drawn$y$estimate)
  list(estimate = c(points, points[[1]] - points[[2]]),
       interval = rbind(ends, c(ends[[1, 1]] - ends[[2, 2]], ends[[1, 2]] - ends[[2, 1]])))
}

# Both medians on one axis, and beside them the difference, with a line where there is none.
picture.dp_difference <- function(x, ...) { # nolint: object_name_linter.
  frame <- tidy.dp_release(x, conf.int = TRUE)
  panel <- c("median", "median", "difference")
  place <- c(2, 1, 1.5)
  layers <- lapply(1:3, function(i) {
    list(interval_layer(frame$conf.low[[i]], place[[i]], xend = frame$conf.high[[i]], yend = place[[i]],
                        panel = panel[[i]]),
         layer("points", frame$estimate[[i]], place[[i]], panel = panel[[i]]),
         layer("text", frame$estimate[[i]], place[[i]], adj = c(0.5, -1.4), panel = panel[[i]],
               label = paste0(c("x", "y", "x - y")[[i]], ": ", format(frame$estimate[[i]], digits = 4))))
  })
  new_picture(list(rule(0, colour = "grey60", panel = "difference"), layers), picture_axis(free = TRUE),
              picture_axis(limits = c(0.4, 2.6), shown = FALSE), plot_title(x), plot_caption(x),
              panels = c("median", "difference"), below = TRUE)
}
