// An error addressed to the person who started the tool: one sentence that says what is wrong and what to do, no stack.

export class OperatorError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}
