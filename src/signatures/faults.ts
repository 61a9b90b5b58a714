// Gathers the complaints about pack files, so that an author sees all of them at once and not one a run.
import { PackError } from './read-yaml.ts';

export class Faults {
  readonly #found: PackError[] = [];

  /** The results of the items about which nothing was complained. Errors of another kind are thrown at once. */
  each<T, R>(items: readonly T[], work: (item: T, index: number) => R): R[] {
    return items.flatMap((item, index) => {
      try {
        return [work(item, index)];
      } catch (error) {
        if (!(error instanceof PackError)) throw error;
        this.#found.push(...faultsOf(error));
        return [];
      }
    });
  }

  add(fault: PackError): void {
    this.#found.push(fault);
  }

  /** @throws PackError if anything was complained; it carries all. */
  throwAny(): void {
    throwAll(this.#found);
  }
}

/** @throws PackError with all of them, if there are any. */
export function throwAll(faults: readonly PackError[]): void {
  const [first, ...also] = faults;
  if (first !== undefined) throw new PackError(first.file, first.line, first.what, also);
}

/** The complaint and those that were found together with it. */
export function faultsOf(error: PackError): PackError[] {
  return [error, ...error.also];
}
