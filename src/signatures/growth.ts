// Amounts that grow with the length of a text, as polynomials, so that choices of places can be multiplied and counted.

/** Factor of each power of the text's length, lowest first. */
export type Growth = readonly number[];

export const NONE: Growth = [];
export const ONE: Growth = [1];

export function constant(amount: number): Growth {
  return [amount];
}

/** `perChar` for every character of the text. */
export function ofLength(perChar: number): Growth {
  return [0, perChar];
}

export function plus(a: Growth, b: Growth): Growth {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, power) => (a[power] ?? 0) + (b[power] ?? 0));
}

export function times(a: Growth, b: Growth): Growth {
  const product = Array.from({ length: Math.max(0, a.length + b.length - 1) }, () => 0);
  a.forEach((x, i) => b.forEach((y, j) => (product[i + j]! += x * y)));
  return product;
}

/** Places are chosen in order, one behind the other: k of them in n characters can be chosen in n^k / k! ways. */
export function amountFor(growth: Growth, chars: number): number {
  let ways = 1;
  return growth.reduce((sum, factor, power) => {
    if (power > 0) ways *= chars / power;
    return sum + factor * ways;
  }, 0);
}
