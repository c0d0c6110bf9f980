# Depth regions in the plane: against cutting by every halfplane, and their class.

# Areas and kinds (point, segment, polygon) of the regions of all levels.
expect_regions <- function(data, level, ours, tolerance = 1e-8,
                           theirs = lapply(level, function(l) oracle_region(data, l))) {
  size <- max(abs(data))^2 + 1e-300
  area <- vapply(theirs, shoelace, 0)
  expect_lt(max(abs(ours$area - area)) / size, tolerance)
  expect_identical(vapply(ours$vertices, nrow, 0L) == 0, vapply(theirs, nrow, 0L) == 0)
}

test_that("both methods find the regions of all levels: ties, duplicates, collinear rows, few rows", {
  skip_on_cran()
  set.seed(1)
  for (r in seq_len(audit_size(30, 60))) {
    n <- sample(12, 1)
    k <- sample(c(1, 2, 3, 50), 1)
    data <- matrix(sample(-k:k, 2 * n, TRUE), n)
    if (r %% 3 == 0) data <- data %*% matrix(rnorm(4), 2)
    if (r %% 10 == 0) data[, 2] <- 2 * data[, 1]
    level <- seq_len(n)
    sweep <- depth_region(data, level / n, "sweep")
    cuts <- depth_region(data, level / n, "cuts")
    expect_identical(sweep$count, level)
    expect_identical(sweep$deepest, cuts$deepest)
    slow <- lapply(level, function(l) oracle_region(data, l))
    expect_regions(data, level, sweep, theirs = slow)
    expect_regions(data, level, cuts, theirs = slow)
  }
})

test_that("every vertex has the depth of its level, and the innermost region holds the Tukey median", {
  set.seed(2)
  data <- matrix(round(rnorm(80), 2), ncol = 2)
  regions <- depth_region(data)
  expect_identical(regions$count, seq_len(round(regions$deepest * 40)))
  for (k in seq_along(regions$count)) {
    v <- regions$vertices[[k]]
    centre <- colMeans(v)
    inside <- sweep(0.999 * sweep(v, 2, centre), 2, centre, "+")
    expect_true(all(depth_halfspace(inside, data) * 40 >= regions$count[[k]] - 1e-9))
  }
  expect_true(all(diff(regions$area) < 0))
  m <- median_tukey(data)
  expect_equal(attr(m, "depth"), regions$deepest)
  expect_equal(unname(region_centre(regions, length(regions$area))), as.vector(m), tolerance = 1e-9)
})

test_that("the outermost region is the convex hull", {
  set.seed(3)
  data <- matrix(rnorm(200), ncol = 2)
  v <- depth_region(data, 1e-9)$vertices[[1]]
  hull <- data[rev(grDevices::chull(data)), ]
  expect_equal(v[order(v[, 1]), ], hull[order(hull[, 1]), ], tolerance = 1e-12)
})

# Sets on which a search has once gone wrong: a direction that ties with a pair of rows, a row that is
# a corner of the deepest region, data near a line.
hard <- list(
  c(
    0.515566015807708, 1.4352321167067, -3.16755088314556, -1.26445477218972, -0.65740979448427,
    -0.297267499368057, 0.491817029864109, -1.45570923209679, -0.179647183701568, 1.7120231414701,
    0.329532467252431, 0.700529399467787, -1.77206294614784, -0.644670787682653,
    -0.289197945756724, -0.247263944825178, 0.335282216501528, -0.860552499086444,
    -0.00937205929297816, 1.18057593446475
  ),
  c(
    -1.37737431146946, -1.33695140109344, 1.28129045946827, 0.562899824196441, 0.146126866164453,
    -0.0965806458764838, -2.26921499423324, -0.798829420661413, 0.691896426892002, 1.196826065347,
    0.323052398314328, -0.0446119716858013, -0.718579051088475, -0.219779192767843,
    0.352413356214893, 0.00436471077610647, 0.797497282879488, 0.325102462591691,
    -0.407266586500175, -0.458063117718283
  ),
  c(
    -0.74380299057381, 0.256626885200394, 1.84142138478691, 0.385416417442628, -1.39064677331681,
    -1.51030057359018, -1.20424882993818, 0.522129021085159, 0.637254918199067, 0.421378113395432,
    -1.23239757510572, 0.425771127181591, 3.0542487953494, 0.638088084934774, -2.30664102469654,
    -2.50807998771701, -1.9987791797663, 0.864811773667921, 1.05804813166936, 0.700046960091192
  )
)

test_that("regions follow affine maps, also of data that were hard", {
  skip_on_cran()
  set.seed(4)
  random <- replicate(audit_size(10, 100), matrix(rnorm(20), ncol = 2), simplify = FALSE)
  sets <- c(lapply(hard, matrix, ncol = 2), random)
  for (data in sets) {
    n <- nrow(data)
    map <- matrix(rnorm(4), 2)
    for (method in c("sweep", "cuts")) {
      a <- depth_region(data, 1:n / n, method)
      b <- depth_region(data %*% map, 1:n / n, method)
      expect_identical(a$deepest, b$deepest)
      expect_equal(b$area, a$area * abs(det(map)), tolerance = 1e-7)
    }
    area <- vapply(1:n, function(l) shoelace(oracle_region(data, l)), 0)
    expect_lt(max(abs(area - a$area)), 1e-9)
    expect_lt(max(abs(as.vector(median_tukey(data) %*% map) - median_tukey(data %*% map))), 1e-7)
  }
})

test_that("levels are shares of the rows", {
  regions <- depth_region(faithful, c(0.3, 0.1, 0.5))
  expect_identical(regions$level, c(0.1, 0.3, 0.5))
  expect_identical(regions$count, c(28L, 82L, 136L))
  expect_identical(nrow(regions$vertices[[3]]), 0L)
  expect_identical(regions$area[[3]], 0)
  # a level made by division is that level
  for (n in c(3, 49, 272)) expect_identical(depth_region(faithful[1:n, ], 1:n / n)$count, 1:n)
  expect_identical(depth_region(faithful[1:49, ], (1:9) * (1 / 49))$count, 1:9)
})

test_that("units", {
  regions <- depth_region(faithful, c(0.1, 0.4))
  tiny <- depth_region(sweep(as.matrix(faithful), 2, c(1e-9, 1e-100), "*"), c(0.1, 0.4))
  expect_equal(tiny$area, regions$area * 1e-109, tolerance = 1e-9)
  expect_equal(tiny$vertices[[2]][, 2], regions$vertices[[2]][, 2] * 1e-100, tolerance = 1e-9)
})

test_that("the number of threads does not change a bit", {
  set.seed(5)
  data <- matrix(rnorm(200), ncol = 2)
  old <- dpdepth_threads(1)
  on.exit(dpdepth_threads(old))
  one <- list(depth_region(data, method = "sweep"), depth_region(data, method = "cuts"))
  dpdepth_threads(3)
  expect_identical(list(depth_region(data, method = "sweep"), depth_region(data, method = "cuts")), one)
})

test_that("as data frame, print, plots", {
  skip_on_cran()
  regions <- depth_region(faithful, c(0.05, 0.2, 0.43, 0.45))
  frame <- as.data.frame(regions)
  expect_named(frame, c("level", "vertex", "eruptions", "waiting"))
  expect_identical(nrow(frame), sum(vapply(regions$vertices, nrow, 0L)))
  expect_snapshot(print(regions, digits = 3))
  expect_snapshot(depth_region(cbind(1:5, 1:5)))
  expect_snapshot(print(depth_region(faithful), digits = 2, max = 3))
  file <- withr_png()
  on.exit(unlink(file))
  expect_identical(plot(regions, levels = 2), regions)
  plot(depth_region(cbind(1:5, 1:5)))
  plot(depth_region(faithful, 0.6), points = FALSE)
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
})

test_that("autoplot", {
  skip_if_not_installed("ggplot2")
  plot <- ggplot2::autoplot(depth_region(faithful, c(0.1, 0.4, 0.6)))
  expect_s3_class(plot, "ggplot")
  built <- ggplot2::ggplot_build(plot)
  fills <- vapply(built$data[1:2], function(at) at$fill[[1]], "")
  expect_identical(unname(fills), region_colours(2))
  expect_s3_class(ggplot2::autoplot(depth_region(faithful, 0.6), points = FALSE), "ggplot")
})

test_that("arguments", {
  input <- function(expr, text = NULL) expect_error(expr, text, class = "dpdepth_error_input")
  input(depth_region(iris[1:3]), "2 columns")
  input(depth_region(faithful, 0), "above 0")
  input(depth_region(faithful, 1.1))
  input(depth_region(faithful, NA_real_))
  input(depth_region(faithful, "a"))
  input(depth_region(faithful, method = "exact"))
  input(depth_region(matrix(sin(1:16002), ncol = 2), 0.1, "sweep"), "8000 rows")
  input(plot(depth_region(faithful, 0.1), levels = 0))
})
