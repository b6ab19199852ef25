; Shows what zprof can tell of a program that another program runs: see README.md.

(define (map f l)
  (if (null? l) '() (cons (f (car l)) (map f (cdr l)))))

(define (for-each f l)
  (when (pair? l) (f (car l)) (for-each f (cdr l))))

(define (iota n)
  (let loop ((i n) (l '()))
    (if (= i 0) l (loop (- i 1) (cons i l)))))

; A tail call each turn: the stack does not grow.
(define (even? n) (if (= n 0) #t (odd? (- n 1))))
(define (odd? n) (if (= n 0) #f (even? (- n 1))))

; Who pays for the collatz length of a number?
(define (collatz n)
  (let loop ((n n) (steps 0))
    (cond ((= n 1) steps)
          ((= (remainder n 2) 0) (loop (quotient n 2) (+ steps 1)))
          (else (loop (+ (* 3 n) 1) (+ steps 1))))))

; ... physics, often, and AI, seldom but for larger ones.
(define (physics) (for-each collatz (iota 2000)) 'done)
(define (ai)
  (for-each collatz (map (lambda (n) (+ 837000 n)) (iota 800)))
  'done)

; Native code that calls back: qsort, with an order written in Scheme.
(define (by-length a b) (< (collatz a) (collatz b)))
(define (rank n) (sort (iota n) by-length))

; A promise runs once, for the one that forces it first.
(define table (delay (map collatz (iota 100))))
(define (lookup n)
  (let loop ((l (force table)) (n n))
    (if (= n 1) (car l) (loop (cdr l) (- n 1)))))

; A generator: two procedures that hand the processor to each other by continuations.
(define (walk tree)
  (define return #f)
  (define (visit t)
    (cond ((null? t) #f)
          ((pair? t) (visit (car t)) (visit (cdr t)))
          (else (call/cc (lambda (resume)
                           (set! more resume)
                           (return t))))))
  (define (more ignored)
    (visit tree)
    (return 'done))
  (lambda ()
    (call/cc (lambda (k)
               (set! return k)
               (more #f)))))

(define (sum-leaves tree)
  (let ((next (walk tree)))
    (let loop ((sum 0) (leaf (next)))
      (if (eq? leaf 'done) sum (loop (+ sum leaf) (next))))))

; A search that is left in the middle, through a guard.
(define opened 0)
(define closed 0)
(define (find ok? l)
  (call/cc
    (lambda (return)
      (dynamic-wind
        (lambda () (set! opened (+ opened 1)))
        (lambda () (for-each (lambda (x) (when (ok? x) (return x))) l))
        (lambda () (set! closed (+ closed 1)))))))

; A dynamic variable.
(define depth (make-parameter 0))
(define (nest n)
  (if (= n 0) (depth) (parameterize ((depth (+ (depth) 1))) (nest (- n 1)))))

(define (show . items) (for-each display items) (newline))

(show "even? " (even? 10000))
(physics)
(ai)
(show "longest first " (car (reverse (rank 64))))
(show "lookup " (lookup 97) " " (lookup 27))
(show "leaves " (sum-leaves '((1 2 (3)) (4 (5 6)) 7)))
(show "found " (find (lambda (x) (> (collatz x) 100)) (iota 50)) " " opened " " closed)
(show "nested " (nest 20))
