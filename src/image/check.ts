// The shape of one check of an image. Which cause a fault becomes when the image boots is said by the cause's own file.
import type { Image } from './image.ts';

export interface FaultWords {
  /** With {placeholders} for the values. */
  readonly says: string;
  readonly fix: string;
}

export interface Fault<Code extends string = string> {
  readonly code: Code;
  readonly values: Readonly<Record<string, string | number>>;
}

export interface ImageCheck<Code extends string = string> {
  readonly name: string;
  readonly faults: Readonly<Record<Code, FaultWords>>;
  /** @throws HostError where the image does not let itself be read: then the check counts as not done. */
  look(image: Image): Promise<readonly Fault<Code>[]>;
}
