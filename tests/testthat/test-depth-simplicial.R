# Simplicial depth against the definition, its invariances, its sensitivity, and peers' faults.

test_that("exact counts are those of the definition: ties, duplicates, collinear and coplanar rows", {
  skip_on_cran()
  set.seed(1)
  for (d in 1:3) {
    for (r in 1:12) {
      n <- d + sample(5, 1)
      k <- sample(3, 1)
      data <- matrix(sample(-k:k, n * d, TRUE), n)
      if (r %% 4 == 0) data[, d] <- data[, 1]
      x <- rbind(data[1, ], matrix(sample(-k:k, 5 * d, TRUE), 5))
      expect_equal(depth_simplicial(x, data), oracle_simplicial(x, data), tolerance = 1e-14)
    }
  }
})

test_that("every planar set of four rows of the 3 x 3 grid", {
  skip_on_cran()
  grid <- as.matrix(expand.grid(0:2, 0:2))
  x <- rbind(grid, c(0.5, 0.5), c(1, 0.5), c(3, 1))
  sets <- as.matrix(expand.grid(1:9, 1:9, 1:9, 1:9))
  sets <- sets[apply(sets, 1, function(s) !is.unsorted(s)), ]
  # the four triangles of a set, looked up in a table of all
  triples <- unique(t(apply(as.matrix(expand.grid(1:9, 1:9, 1:9)), 1, sort)))
  held <- t(apply(triples, 1, function(s) apply(2 * x, 1, oracle_in_hull, v = 2 * grid[s, ])))
  place <- drop(triples %*% c(100, 10, 1))
  drop <- lapply(1:4, function(k) (1:4)[-k])
  right <- vapply(seq_len(nrow(sets)), function(k) {
    of <- match(vapply(drop, function(s) sum(sets[k, s] * c(100, 10, 1)), 0), place)
    identical(depth_simplicial(x, grid[sets[k, ], ]), unname(colMeans(held[of, ])))
  }, NA)
  expect_identical(sum(right), 495L)
})

test_that("no dimension, place or unit is special: affine maps, and tiny numbers", {
  skip_on_cran()
  set.seed(2)
  for (d in 1:3) {
    for (r in 1:8) {
      n <- d + 6
      data <- matrix(sample(-2:2, n * d, TRUE), n)
      x <- rbind(data, matrix(sample(-2:2, 4 * d, TRUE), 4))
      depth <- depth_simplicial(x, data)
      map <- matrix(rnorm(d * d), d)
      moved <- function(z) sweep(z %*% map, 2, seq_len(d) / 3, "+")
      expect_identical(depth_simplicial(moved(x), moved(data)), depth)
      expect_identical(depth_simplicial(x * 1e-9, data * 1e-9), depth)
      expect_identical(depth_simplicial(x / 7e-200, data / 7e-200), depth)
    }
  }
})

test_that("simplices with all rows at the point, with a far outlier, with the fewest rows", {
  expect_identical(depth_simplicial(c(1, 1), matrix(1, 5, 2)), 1)
  expect_identical(depth_simplicial(c(1, 2), matrix(1, 5, 2)), 0)
  x <- rbind(c(0, 0), c(1, 0), c(0, 1))
  expect_identical(depth_simplicial(rbind(c(0.25, 0.25), c(1, 1), c(0.5, 0.5), c(0, 0)), x), c(1, 0, 1, 1))
  near <- rbind(x, c(-1, -1))
  far <- rbind(x, c(-1e12, -1e12))
  expect_identical(depth_simplicial(c(0.25, 0.25), far), depth_simplicial(c(0.25, 0.25), near))
  expect_identical(depth_simplicial(2, c(1, 3)), 1)
  expect_identical(depth_simplicial(c(0, 1, 2, 3), c(1, 2, 2)), c(0, 2 / 3, 1, 0))
})

test_that("the number of triangles of 1292 rows and more fits (ddalpha's overflows)", {
  # on a circle, the triples beside the centre are those on an open half circle
  for (n in c(1291, 1292, 4001)) {
    angle <- 2 * pi * seq_len(n) / n
    depth <- depth_simplicial(c(0, 0), cbind(cos(angle), sin(angle)))
    expect_equal(depth, 1 - n * choose((n - 1) %/% 2, 2) / choose(n, 3), tolerance = 1e-14)
  }
  set.seed(3)
  x <- matrix(rnorm(2600), ncol = 2)
  expect_equal(depth_simplicial(x[1:5, ], x[1:300, ]),
               peer_values("triangles", "ddalpha",
                           ddalpha::depth.simplicial(x[1:5, ], x[1:300, ], exact = TRUE)))
  one <- x[1, , drop = FALSE] # ddalpha goes through all triangles of each point
  theirs <- peer_values("overflow", "ddalpha", ddalpha::depth.simplicial(one, x, exact = TRUE))
  expect_gt(abs(theirs - depth_simplicial(one, x)), 0.1) # the fault
  expect_lt(max(depth_simplicial(x[1:5, ], x)), 0.26)
})

test_that("in space as ddalpha off the data, and right at rows where it is not", {
  set.seed(4)
  x <- matrix(rnorm(60), ncol = 3)
  q <- matrix(rnorm(30, sd = 0.3), ncol = 3)
  theirs <- peer_values("tetrahedra", "ddalpha", ddalpha::depth.simplicial(q, x, exact = TRUE))
  expect_equal(depth_simplicial(q, x), theirs)
  # a row is a corner of C(19, 3) of the C(20, 4) tetrahedra, so its depth is 0.2 or more
  expect_true(all(depth_simplicial(x, x) >= 0.2))
})

test_that("a fixed set of simplices: the definition, any dimension, flat ones too", {
  skip_on_cran()
  set.seed(5)
  for (d in seq_len(audit_size(4, 5))) {
    n <- d + 4
    data <- matrix(sample(-1:1, n * d, TRUE), n)
    x <- rbind(data[1:2, , drop = FALSE], matrix(sample(-1:1, 4 * d, TRUE), 4))
    depth <- oracle_simplicial(x, data, simplicial_tuples(n, d, 20)$rows)
    expect_identical(depth_simplicial(x, data, tuples = 20), depth)
    expect_identical(depth_simplicial(x / 3e5, data / 3e5, tuples = 20), depth)
  }
  data <- matrix(rnorm(60), ncol = 2)
  x <- matrix(rnorm(20, sd = 0.5), ncol = 2)
  d <- depth_simplicial(x, data)
  # 20,000 simplices: five standard errors fail once in 10^6
  expect_lt(max(abs(depth_simplicial(x, data, tuples = 20000) - d)), 5 * sqrt(0.25 / 20000))
})

test_that("all simplices when they are few; the same ones for a seed; the user's random numbers untouched", {
  set.seed(6)
  data <- matrix(sample(-1:1, 24, TRUE), ncol = 4)
  expect_identical(depth_simplicial(data, data), oracle_simplicial(data, data))
  data <- matrix(rnorm(400), ncol = 4)
  before <- .Random.seed
  a <- depth_simplicial(data, data, tuples = 500)
  expect_identical(depth_simplicial(data, data, tuples = 500, seed = 1), a)
  expect_false(identical(depth_simplicial(data, data, tuples = 500, seed = 2), a))
  depth_simplicial(data[1:3, ], data)
  expect_identical(.Random.seed, before)
})

test_that("tuples are sets, spread evenly, and their load is told", {
  for (n in c(5, 12, 100)) {
    for (size in 2:5) {
      found <- simplicial_tuples(n, size - 1, 333)
      rows <- found$rows
      expect_identical(dim(rows), c(333L, as.integer(size)))
      expect_true(all(rows >= 1 & rows <= n))
      expect_true(all(apply(rows, 1, anyDuplicated) == 0))
      expect_equal(found$sensitivity, max(tabulate(rows, n)) / 333)
      expect_lte(max(tabulate(rows, n)), ceiling(333 / (n %/% size)))
    }
  }
  all <- simplicial_tuples(6, 2)
  expect_identical(all$rows, t(combn(6, 3)))
  expect_equal(all$sensitivity, 3 / 6)
})

test_that("one replaced row changes the depth by (d + 1)/n at most, and that is reached", {
  skip_on_cran()
  set.seed(7)
  most <- 0
  for (d in 1:2) {
    grid <- as.matrix(expand.grid(rep(list(-1:1), d)))
    for (r in 1:10) {
      n <- d + sample(3, 1)
      data <- grid[sample(nrow(grid), n, TRUE), , drop = FALSE]
      depth <- depth_simplicial(grid, data)
      for (i in seq_len(n)) {
        for (k in seq_len(nrow(grid))) {
          other <- data
          other[i, ] <- grid[k, ]
          change <- max(abs(depth_simplicial(grid, other) - depth)) * n / (d + 1)
          most <- max(most, change)
        }
      }
    }
  }
  expect_lte(most, 1 + 1e-12)
  expect_gt(most, 1 - 1e-12)
  found <- simplicial_tuples(8, 2, 20)
  data <- matrix(rnorm(16), 8)
  x <- matrix(rnorm(40, sd = 0.5), 20)
  depth <- depth_simplicial(x, data, tuples = 20)
  for (i in 1:8) {
    for (r in 1:20) {
      other <- data
      other[i, ] <- rnorm(2, sd = 2)
      expect_lte(max(abs(depth_simplicial(x, other, tuples = 20) - depth)), found$sensitivity + 1e-12)
    }
  }
})

test_that("the number of threads does not change a bit", {
  set.seed(8)
  x <- matrix(rnorm(150), ncol = 3)
  old <- dpdepth_threads(1)
  on.exit(dpdepth_threads(old))
  all <- function() {
    list(depth_simplicial(x[, 1:2], x[, 1:2]), depth_simplicial(x, x), depth_simplicial(x, x, tuples = 100))
  }
  one <- all()
  dpdepth_threads(3)
  expect_identical(all(), one)
})

test_that("arguments", {
  expect_error(depth_simplicial(1:2, matrix(0, 2, 2)), "at least 3 rows", class = "dpdepth_error_input")
  expect_error(depth_simplicial(1:3, faithful), class = "dpdepth_error_input")
  expect_error(depth_simplicial(faithful, faithful, tuples = 0), class = "dpdepth_error_input")
  expect_error(depth_simplicial(faithful, faithful, tuples = 10, seed = -1), class = "dpdepth_error_input")
  expect_error(depth_simplicial(c(1, NA), faithful), class = "dpdepth_error_input")
  expect_identical(depth_simplicial(faithful[0, ], faithful), numeric())
})

test_that("a workspace that the system does not give is an error of its class", {
  skip_on_os(c("windows", "mac", "solaris"))
  skip_if(grepl("asan|ubsan|valgrind", Sys.getenv("LD_PRELOAD")) || nzchar(Sys.getenv("ASAN_OPTIONS")))
  # 2 GB of simplices in a process that may have 1 GB
  code <- paste("x <- matrix(as.double(1:400), 100);",
                "e <- tryCatch(dpdepth::depth_simplicial(x, x, tuples = 1e8L), error = identity);",
                "cat(class(e)[[1]])")
  call <- sprintf("ulimit -v 1000000; %s -e %s", shQuote(file.path(R.home("bin"), "Rscript")), shQuote(code))
  out <- suppressWarnings(system2("sh", c("-c", shQuote(call)), stdout = TRUE, stderr = TRUE,
                                  env = c("OPENBLAS_NUM_THREADS=1",
                                          paste0("R_LIBS=", shQuote(paste(.libPaths(), collapse = ":"))))))
  skip_if(!any(grepl("dpdepth|error", out, ignore.case = TRUE)), "no R within the limit")
  expect_match(paste(out, collapse = ""), "dpdepth_error_memory")
})
