/** The faults that were found in servers' definitions, one in each; all but the last ones can be shown once mended. */

const schema = '{"type":"object"}';

export const mendedTools: Readonly<Record<string, string>> = {
  no_input: '{"name":"no_input"}',
  null_input: '{"name":"null_input","inputSchema":null}',
  typeless: '{"name":"typeless","inputSchema":{"properties":{"a":{"type":"string"}}}}',
  list_of_properties: '{"name":"list_of_properties","inputSchema":{"type":"object","properties":[]}}',
  null_annotations: `{"name":"null_annotations","inputSchema":${schema},"annotations":null}`,
  null_description: `{"name":"null_description","inputSchema":${schema},"description":null}`,
  null_output: `{"name":"null_output","inputSchema":${schema},"outputSchema":null}`,
  array_output: `{"name":"array_output","inputSchema":${schema},"outputSchema":{"type":"array"}}`,
  referring_output: `{"name":"referring_output","inputSchema":${schema},"outputSchema":{"$ref":"#/$defs/A","$defs":{"A":${schema}}}}`,
  bare_icon: `{"name":"bare_icon","inputSchema":${schema},"icons":[{"mimeType":"image/png"}]}`,
  true_property:
    '{"name":"true_property","inputSchema":{"type":"object","properties":{"any":true,"none":false}}}',
};

export const lawfulTools: Readonly<Record<string, string>> = {
  plain: `{"name":"plain","inputSchema":${schema}}`,
  numbers:
    '{"name":"numbers", "inputSchema":{"type":"object","properties":{"n":{"default":12345678901234567890,"minimum":1.0}}},"own":null}',
  structured: `{"name":"structured","inputSchema":${schema},"outputSchema":{"type":"object","properties":{"n":{"type":"number"}}}}`,
};

/** Nothing can be made of them. */
export const hopelessTools: Readonly<Record<string, string>> = {
  input_of_string: '{"name":"input_of_string","inputSchema":{"type":"string"}}',
};

export const prompts: Readonly<Record<string, string>> = {
  plain: '{"name":"plain"}',
  null_description: '{"name":"null_description","description":null,"arguments":null}',
  nameless_argument:
    '{"name":"nameless_argument","arguments":[{"required":false},{"name":"a","required":null}]}',
  bare_icon: '{"name":"bare_icon","icons":[{}]}',
};

export const resources: Readonly<Record<string, string>> = {
  'note://plain': '{"uri":"note://plain","name":"plain"}',
  'note://nameless': '{"uri":"note://nameless","mimeType":null}',
  'note://sized': '{"uri":"note://sized","name":"sized","size":"12","annotations":{"priority":5}}',
};

export const hopelessResources = ['{"uri":"no uri at all","name":"nowhere"}'];

export const templates: Readonly<Record<string, string>> = {
  'note://plain/{id}': '{"uriTemplate":"note://plain/{id}","name":"plain"}',
  'note://null/{id}': '{"uriTemplate":"note://null/{id}","description":null,"icons":[{"src":null}]}',
};
