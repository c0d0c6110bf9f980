# Golden values of directions(), in exact fractions and 60-digit decimals: an independent twin of
# src/num_directions.c. Prints components times 2^40 for tests/testthat/test-directions.R.
from fractions import Fraction as F
from decimal import Decimal as D, getcontext
getcontext().prec=60
M=(1<<64)-1
class G:
    def __init__(s,seed): s.s=seed
    def w(s):
        s.s=(s.s+0x9e3779b97f4a7c15)&M; z=s.s
        z=((z^(z>>30))*0xbf58476d1ce4e5b9)&M; z=((z^(z>>27))*0x94d049bb133111eb)&M
        return z^(z>>31)
def disc(g):
    side=1<<26
    while True:
        w=g.w(); a=2*(w>>38)+1-side; b=2*((w>>12)&(side-1))+1-side
        if a*a+b*b<=side*side: return a,b
def vec(g,d):
    m=(d+1)//2; v=sorted(g.w()>>12 for _ in range(m-1))+[1<<52]
    sp=[v[0]]+[v[i]-v[i-1] for i in range(1,m)]
    total=F(1<<52); out=[0]*d
    for i in reversed(range(m)):
        a,b=disc(g); q=a*a+b*b
        if 2*i+1==d: total-=F(sp[i]*b*b,q)
        def comp(a):
            f=F(sp[i])/total*F(a*a,q)
            r=(D(f.numerator)/D(f.denominator)).sqrt()*(1 if a>0 else -1)
            return int((r*(1<<40)).to_integral_value())
        out[2*i]=comp(a)
        if 2*i+1<d: out[2*i+1]=comp(b)
    return out
for d,seed in((2,1),(3,7),(6,0)):
    g=G(seed); print(d,[vec(g,d) for _ in range(2)])
