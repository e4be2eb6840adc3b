// Makes valid arguments of a tool's input schema: always the same ones, with all
// that is optional. What a schema says in a way that this cannot follow shows
// as arguments that Ajv refuses.

import Ajv2020 from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import RandExp from 'randexp';

/** Stands for a value that cannot be had, as at the end of a recursion. */
const none = Symbol('none');

/** How often a schema may stand inside itself, and how deep any may stand. */
const recursions = 1;
const deepest = 12;

const samples = {
  'date-time': '2026-03-04T05:06:07Z', date: '2026-03-04', time: '05:06:07Z', duration: 'P1D',
  uuid: '11111111-1111-4111-8111-111111111111', email: 'zoe@example.org', 'idn-email': 'zoe@example.org',
  uri: 'https://example.org/a', url: 'https://example.org/a', 'uri-reference': '/a', iri: 'https://example.org/a',
  hostname: 'example.org', 'idn-hostname': 'example.org', ipv4: '192.0.2.1', ipv6: '2001:db8::1', byte: 'cGljdHVyZQ==',
  regex: 'a', 'json-pointer': '/a', 'uri-template': 'https://example.org/{a}',
};

/** Returns {value, problems}; problems is what Ajv says against the value. */
export function argumentsOf(schema) {
  const maker = new Maker(schema);
  const value = maker.make(schema, { seen: new Map(), depth: 0, salt: 0 });
  const valid = maker.check(schema, value);
  return { value, problems: valid ? null : maker.ajv.errorsText(maker.errors) };
}

class Maker {
  constructor(root) {
    this.root = root;
    this.compiled = new WeakMap();
    this.ajv = formats(new Ajv2020({ strict: false, allErrors: false, validateFormats: true, logger: false }));
  }

  check(schema, value) {
    if (schema === true) return true;
    let validate = this.compiled.get(schema);
    if (!validate) {
      validate = this.ajv.compile({ ...schema, $defs: this.root.$defs ?? {} });
      this.compiled.set(schema, validate);
    }
    const valid = validate(value);
    this.errors = validate.errors;
    return valid;
  }

  resolve(ref) {
    return ref.split('/').slice(1).reduce((at, part) => at[part.replaceAll('~1', '/').replaceAll('~0', '~')], this.root);
  }

  make(schema, at) {
    if (schema === true || at.depth > deepest) return schema === true && at.depth <= deepest ? 'any' : none;
    if (schema === false) return none;
    if (schema.$ref) {
      const times = at.seen.get(schema.$ref) ?? 0;
      if (times > recursions) return none;
      const seen = new Map(at.seen).set(schema.$ref, times + 1);
      const { $ref, ...beside } = schema;
      return this.make(merge(this.resolve($ref), beside), { ...at, seen });
    }
    if ('const' in schema) return schema.const;
    if (schema.enum) return fit(schema, schema.enum)[at.salt % fit(schema, schema.enum).length];
    if (schema.allOf) {
      const { allOf, ...beside } = schema;
      return this.make(allOf.reduce((whole, part) => merge(whole, this.inline(part)), beside), at);
    }
    for (const keyword of ['oneOf', 'anyOf']) {
      if (schema[keyword]) return this.choose(schema, keyword, at);
    }
    return this.typed(schema, at);
  }

  /** Follows references until there is something to merge. */
  inline(schema) {
    let whole = schema;
    for (let i = 0; whole.$ref && i < deepest; i++) {
      const { $ref, ...beside } = whole;
      whole = merge(this.resolve($ref), beside);
    }
    return whole;
  }

  /** The first alternative whose value the whole schema takes. */
  choose(schema, keyword, at) {
    const { [keyword]: branches, ...beside } = schema;
    let first = none;
    for (const branch of branches) {
      const value = this.make(merge(beside, this.inline(branch)), at);
      if (value === none || value === null) continue;
      if (this.check(schema, value)) return value;
      if (first === none) first = value;
    }
    return first === none && branches.some((b) => b.type === 'null') ? null : first;
  }

  typed(schema, at) {
    const types = [schema.type ?? guess(schema)].flat();
    switch (types.find((t) => t !== 'null') ?? 'null') {
      case 'object': return this.object(schema, at);
      case 'array': return this.array(schema, at);
      case 'string': return text(schema, at.salt);
      case 'integer': return number(schema, 1, 7 + at.salt);
      case 'number': return number(schema, schema.multipleOf ?? 0.5, 1.5 + at.salt);
      case 'boolean': return true;
      default: return null;
    }
  }

  object(schema, at) {
    const value = {};
    const below = { ...at, depth: at.depth + 1 };
    const file = schema.properties?.media_type && schema.properties?.base64;
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      let member = this.make(property, below);
      if (file && name === 'media_type' && member === words) member = 'application/octet-stream';
      if (file && name === 'base64') member = Buffer.from('a file').toString('base64');
      if (member !== none) value[name] = member;
      else if (schema.required?.includes(name)) return none;
    }
    const rest = schema.additionalProperties ?? schema.unevaluatedProperties ?? true;
    const names = (schema.required ?? []).filter((name) => !(name in value));
    for (let i = 0; names.length + Object.keys(value).length < Math.max(schema.minProperties ?? 0, 1); i++) names.push(`key${i}`);
    for (const name of rest === false ? [] : names) {
      const member = this.make(rest, below);
      if (member !== none) value[name] = member;
    }
    return value;
  }

  array(schema, at) {
    const value = [];
    const prefix = schema.prefixItems ?? [];
    const most = Math.min(Math.max(schema.minItems ?? 0, 2, prefix.length), schema.maxItems ?? Infinity);
    for (let i = 0; i < most; i++) {
      const item = this.make(prefix[i] ?? schema.items ?? true, { ...at, depth: at.depth + 1, salt: i });
      if (item === none) break;
      const known = value.some((v) => JSON.stringify(v) === JSON.stringify(item));
      if (!known || !schema.uniqueItems) value.push(item);
    }
    return value.length < (schema.minItems ?? 0) ? none : value;
  }
}

/** The members of two schemas in one that both admit. */
function merge(a, b) {
  if (a === true) return b;
  if (b === true) return a;
  const whole = { ...a, ...b };
  for (const keyword of ['properties', 'patternProperties']) {
    if (!a[keyword] || !b[keyword]) continue;
    whole[keyword] = { ...a[keyword] };
    for (const [name, schema] of Object.entries(b[keyword])) {
      whole[keyword][name] = name in a[keyword] ? { allOf: [a[keyword][name], schema] } : schema;
    }
  }
  if (a.required && b.required) whole.required = [...new Set([...a.required, ...b.required])];
  if (a.type && b.type) {
    const [left, right] = [[a.type].flat(), [b.type].flat()];
    whole.type = left.filter((t) => right.includes(t) || (t === 'integer' && right.includes('number')));
    if (right.includes('integer') && left.includes('number')) whole.type.push('integer');
  }
  if (a.enum && b.enum) whole.enum = a.enum.filter((v) => b.enum.includes(v));
  if (a.allOf && b.allOf) whole.allOf = [...a.allOf, ...b.allOf];
  for (const keyword of ['anyOf', 'oneOf']) {
    if (!a[keyword] || !b[keyword]) continue;
    whole[keyword] = a[keyword];
    whole.allOf = [...(whole.allOf ?? []), { [keyword]: b[keyword] }];
  }
  for (const [keyword, pick] of [['minimum', Math.max], ['maximum', Math.min], ['minLength', Math.max], ['maxLength', Math.min]]) {
    if (keyword in a && keyword in b) whole[keyword] = pick(a[keyword], b[keyword]);
  }
  return whole;
}

/** The values of an enumeration that the type admits, null last. */
function fit(schema, values) {
  const types = [schema.type ?? []].flat();
  const kind = (v) => v === null ? 'null' : Array.isArray(v) ? 'array' : typeof v;
  const admitted = values.filter((v) => v !== null && (types.length === 0 || types.includes(kind(v)) ||
    (Number.isInteger(v) && types.includes('integer'))));
  return admitted.length > 0 ? admitted : values;
}

function guess(schema) {
  if (schema.properties || schema.additionalProperties || schema.required) return 'object';
  if (schema.items || schema.prefixItems) return 'array';
  if ('minimum' in schema || 'maximum' in schema) return 'number';
  return 'string';
}

/** A text with what encoders trip over. */
const words = 'Zoe & co+1';

function text(schema, salt) {
  let value = salt > 0 ? `${words} ${salt}` : words;
  if (schema.pattern) {
    const expression = new RandExp(new RegExp(schema.pattern, 'u'));
    expression.max = Math.max(schema.minLength ?? 0, 8);
    expression.defaultRange.add(0x61, 0x7a);
    expression.randInt = (from, to) => from + (salt % (to - from + 1));
    for (expression.max of [expression.max, 1, 30]) {
      value = expression.gen();
      if (value.length >= (schema.minLength ?? 0) && value.length <= (schema.maxLength ?? Infinity)) break;
    }
    return value;
  }
  const sample = samples[schema.format];
  if (sample) return sample;
  if (schema.contentEncoding === 'base64') return samples.byte;
  if (value.length > (schema.maxLength ?? Infinity)) value = `${salt}abcdefghi`.slice(salt > 0 ? 0 : 1, schema.maxLength + (salt > 0 ? 0 : 1));
  return value.padEnd(schema.minLength ?? 0, 'x');
}

function number(schema, step, usual) {
  step = schema.multipleOf ?? step;
  let low = schema.minimum ?? -Infinity;
  let high = schema.maximum ?? Infinity;
  if (typeof schema.exclusiveMinimum === 'number') low = Math.max(low, schema.exclusiveMinimum + step);
  if (typeof schema.exclusiveMaximum === 'number') high = Math.min(high, schema.exclusiveMaximum - step);
  if (schema.multipleOf) usual = step * 2;
  let value = Math.min(Math.max(usual, low), high);
  if (schema.multipleOf && value !== usual) value = Math.ceil(low / step) * step;
  return value;
}
