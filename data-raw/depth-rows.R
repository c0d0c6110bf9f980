# depth-rows.R - rows and tables of depth-medians.R and smoothed-medians.R.

# n rows of d variables, the centre at 0. In the contaminated law a quarter of the rows is moved by 5 in
# every variable.
draw_rows <- function(law, n, d) {
  x <- matrix(stats::rnorm(n * d), n) # public-rng: simulated data
  switch(law,
    normal = x,
    t3 = x / sqrt(stats::rchisq(n, 3) / 3), # public-rng: simulated data
    Cauchy = matrix(stats::rcauchy(n * d), n), # public-rng: simulated data
    contaminated = x + 5 * (seq_len(n) <= n / 4)
  )
}

# Root mean squares and medians of the distances from the centre, and the distance of each run in
# data-raw/<name>-runs.csv. `called`: what the estimates are called there.
write_distances <- function(found, name, called) {
  s <- summary(found)
  table <- data.frame(s[setdiff(names(found$cells), "n")], estimate = s$estimate, runs = s$replicates,
                      rms = signif(s$rmse, 4), median = signif(s$median, 4))
  each <- tidy(found)[c("replicate", names(found$cells), "estimate", "value")]
  names(each)[c(1, ncol(each))] <- c("round", "error")
  each$error <- signif(each$error, 5)
  if (called == "depth") table <- cbind(table[1:2], n = s$n, table[-(1:2)])
  else each$n <- NULL
  names(table)[names(table) == "estimate"] <- names(each)[names(each) == "estimate"] <- called
  keys <- intersect(c(called, "n", "law", "d"), names(table))
  pick(utils::write.csv, function(...) NULL)(
    each[do.call(order, each[c("round", rev(keys))]), ], sprintf("data-raw/%s-runs.csv", name),
    row.names = FALSE, quote = FALSE
  )
  write_figure(table[do.call(order, c(table[keys], method = "radix")), ], name, quote = FALSE)
}
