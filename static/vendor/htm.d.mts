// htm's own types know only `export =`, which modules cannot import by name.
declare const htm: {
  bind<Result>(
    h: (...parameters: never[]) => Result,
  ): (strings: TemplateStringsArray, ...values: unknown[]) => Result;
};
export { htm as default };
