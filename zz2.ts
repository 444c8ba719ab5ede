import { judgeTool } from './lib/definitions/judge-tool.ts';

const t = (l: string, d: string) => {
  try {
    const c = process.cpuUsage();
    const s = performance.now();
    JSON.parse(d);
    const p = performance.now() - s;
    const s2 = performance.now();
    const j = judgeTool(d);
    console.log(
      l,
      (d.length / 1e6).toFixed(2) + 'MB',
      'parse',
      p.toFixed(0),
      'judge',
      (performance.now() - s2).toFixed(0) + 'ms cpu',
      (process.cpuUsage(c).user / 1000).toFixed(0),
      j.leftOut ? 'left out' : '',
      j.problems.map((p) => p.slice(0, 90)).slice(0, 2),
    );
  } catch (e) {
    console.log(l, 'THREW', String(e).slice(0, 100));
  }
};
const I = '"inputSchema":{"type":"object"}';
t('deep', `{"name":"x",${I},"x":${'['.repeat(10000)}${']'.repeat(10000)}}`);
t(
  'members',
  `{"name":"x",${I},"outputSchema":{"type":"object","properties":{${Array.from({ length: 200000 }, (_, i) => `"p${i}":{}`).join()}}}}`,
);
t('dups', `{"name":"x",${I},${'"description":null,'.repeat(150000)}"z":1}`);
t('badicons', `{"name":"x",${I},"icons":[${'{"x":1},'.repeat(100000)}{}]}`);
t(
  'refs',
  `{"name":"x",${I},"outputSchema":{"type":"object","$defs":{${Array.from({ length: 50000 }, (_, i) => `"d${i}":{"$ref":"#/$defs/d${i + 1}"}`).join()},"d50000":{}},"properties":{"a":{"$ref":"#/$defs/d0"}}}}`,
);
t(
  'inline',
  `{"name":"x",${I},"outputSchema":{"type":"object","$defs":{"a":{"anyOf":[${'{},'.repeat(5000)}{}]}},"anyOf":[${'{"$ref":"#/$defs/a"},'.repeat(50000)}{}]}}`,
);
t(
  'props true',
  `{"name":"x","inputSchema":{"type":"object","properties":{${Array.from({ length: 100000 }, (_, i) => `"p${i}":true`).join()}}}}`,
);
t(
  'regex',
  `{"name":"x",${I},"outputSchema":{"type":"object","properties":{"a":{"pattern":"${'(a+)+'.repeat(100000)}$"}}}}`,
);
t(
  'regex2',
  `{"name":"x",${I},"outputSchema":{"type":"object","properties":{"a":{"pattern":"${'('.repeat(10000)}${')'.repeat(10000)}"}}}}`,
);
t(
  'regex3',
  `{"name":"x",${I},"outputSchema":{"type":"object","properties":{${Array.from({ length: 50000 }, (_, i) => `"p${i}":{"pattern":"(((a{1,1000}){1,1000}){1,1000})${i}"}`).join()}}}}`,
);
t(
  'nested refs',
  `{"name":"x",${I},"outputSchema":{"type":"object","properties":{"a":${'{"not":'.repeat(100)}{}${'}'.repeat(100)},"b":{"anyOf":[${Array.from({ length: 20000 }, (_, i) => `{"$ref":"#/properties/a${'/not'.repeat(i % 99)}"}`).join()}]}}}}`,
);
t(
  'many anchors refs',
  `{"name":"x",${I},"outputSchema":{"type":"object","$defs":{${Array.from({ length: 50000 }, (_, i) => `"d${i}":{"$anchor":"a${i}"}`).join()}},"anyOf":[${Array.from({ length: 50000 }, (_, i) => `{"$ref":"#a${i}"}`).join()}]}}`,
);
t(
  'nested hasref',
  `{"name":"x",${I},"outputSchema":{"type":"object","properties":{"a":${'{"not":'.repeat(100)}{"enum":[${'1,'.repeat(500000)}{}]}${'}'.repeat(100)},"b":{"anyOf":[${Array.from({ length: 100 }, (_, i) => `{"$ref":"#/properties/a${'/not'.repeat(i)}"}`).join()}]}}}}`,
);
t('long desc e123', `{"name":"x","description":"${'e123 ab '.repeat(300000)}",${I}}`);
t('halves', `{"name":"x","description":"${'\\ud800'.repeat(500000)}",${I}}`);
t('numbers', `{"name":"x","a":[${'1e999,'.repeat(120000)}1],${I}}`);
t('digits', `{"name":"x","a":${'9'.repeat(3000000)},${I}}`);
t('slow quote', `{"name":"x","a":"${'\\\\\\"'.repeat(700000)}",${I},"description":null}`);
t(
  'many members faulty',
  `{"name":"x",${Array.from({ length: 200000 }, (_, i) => `"p${i}":1`).join()},${I},"description":null}`,
);
t('proto', `{"name":"x","__proto__":{"description":5},${I}}`);
