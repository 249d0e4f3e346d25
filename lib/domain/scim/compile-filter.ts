import { type SQL, sql } from 'drizzle-orm';
import { type Attribute, type Comparison, type Filter, kindOf, type List } from '#lib/protocol/scim/filter.ts';
import { MEMBER_NAME } from './people.ts';

/** Where what a filter names stands. */
export type Columns = {
  scalarOf(attribute: Attribute): SQL | undefined;
  /** That some entry of a list fulfils the condition. */
  someOf(list: List, condition: SQL): SQL;
  /** Of one entry of a list. */
  partOf(attribute: Attribute): SQL;
};

/** A condition on a row of `people`, unless `columns` are others'. What is not there is equal to nothing, and different from everything (RFC 7644 §3.4.2.2). */
export function compileFilter(filter: Filter, columns: Columns = PEOPLE): SQL {
  switch (filter.op) {
    case 'and':
    case 'or':
      return joined(filter, (one) => compileFilter(one, columns));
    case 'not':
      return sql`not ${compileFilter(filter.filter, columns)}`;
    case 'in':
      return columns.someOf(filter.list, compileInList(filter.filter, columns));
    default:
      return compileOne(filter, columns);
  }
}

/** What a list is sorted by. */
export function compileSort(attribute: Attribute, columns: Columns = PEOPLE): SQL {
  const value = columns.scalarOf(attribute) ?? sql`null::text`;
  return kindOf(attribute) === 'text' ? sql`lower(${value}) collate "C"` : value;
}

type Leaf = Extract<Filter, { attribute: Attribute }>;

function compileOne(leaf: Leaf, columns: Columns): SQL {
  const list = listOf(leaf.attribute);
  return list
    ? columns.someOf(list, compileInList(leaf, columns))
    : compare(columns.scalarOf(leaf.attribute) ?? sql`null::text`, leaf);
}

/** Of one entry of a list. */
function compileInList(filter: Filter, columns: Columns): SQL {
  switch (filter.op) {
    case 'and':
    case 'or':
      return joined(filter, (one) => compileInList(one, columns));
    case 'not':
      return sql`not ${compileInList(filter.filter, columns)}`;
    case 'in':
      return compileInList(filter.filter, columns);
    default:
      return compare(columns.partOf(filter.attribute), filter);
  }
}

function joined({ op, filters }: Extract<Filter, { op: 'and' | 'or' }>, compile: (one: Filter) => SQL): SQL {
  return sql`(${sql.join(filters.map(compile), op === 'and' ? sql.raw(' and ') : sql.raw(' or '))})`;
}

const SYSTEM = { emails: 'email', phoneNumbers: 'phone', members: '' } as const satisfies Record<List, string>;

/** `t` is one entry of a list. */
const PEOPLE: Columns = {
  scalarOf,
  someOf,
  partOf: (attribute) => (attribute.endsWith('.type') ? sql`t->>'use'` : sql`t->>'value'`),
};

function someOf(list: List, condition: SQL): SQL {
  return sql`exists (select from jsonb_array_elements(
      case jsonb_typeof(u.record->'telecom') when 'array' then u.record->'telecom' else '[]'::jsonb end) t
    where t->>'system' = ${SYSTEM[list]} and ${condition})`;
}

function listOf(attribute: Attribute): List | undefined {
  const [list] = attribute.split('.');
  return list === 'emails' || list === 'phoneNumbers' || list === 'members' ? list : undefined;
}

function scalarOf(attribute: Attribute): SQL | undefined {
  switch (attribute) {
    case 'id':
      return sql`u.id`;
    case 'externalId':
      return sql`u.external_id`;
    case 'userName':
      return MEMBER_NAME;
    case 'displayName':
    case 'name.formatted':
      return sql`u.content#>>'{profile,display}'`;
    case 'name.givenName':
      return sql`u.record#>>'{name,0,given,0}'`;
    case 'name.familyName':
      return sql`u.record#>>'{name,0,family}'`;
    case 'userType':
      return sql`split_part(u.profile_ref, '/', 1)`;
    case 'active':
      return sql`u.active`;
    case 'meta.lastModified':
      return sql`greatest(u.last_updated, u.record_updated)`;
    default:
      return undefined;
  }
}

function compare(value: SQL, leaf: Leaf): SQL {
  if (leaf.op === 'pr') return sql`coalesce(${value}::text, '') <> ''`;
  const kind = kindOf(leaf.attribute);
  if (kind === 'flag') return leaf.op === 'eq' ? sql`${value} = ${leaf.value}` : sql`${value} <> ${leaf.value}`;
  if (kind === 'instant') return sql`coalesce(${byOrder(value, leaf.op, sql`${leaf.value}::timestamptz`)}, false)`;
  const [own, given] =
    kind === 'text' ? [sql`lower(${value})`, sql`lower(${leaf.value}::text)`] : [value, sql`${leaf.value}::text`];
  if (leaf.op === 'ne') return sql`${own} is distinct from ${given}`;
  return sql`coalesce(${byText(own, leaf.op, given)}, false)`;
}

function byText(own: SQL, op: Comparison, given: SQL): SQL {
  switch (op) {
    case 'co':
      return sql`position(${given} in ${own}) > 0`;
    case 'sw':
      return sql`starts_with(${own}, ${given})`;
    case 'ew':
      return sql`right(${own}, length(${given})) = ${given}`;
    default:
      return byOrder(sql`${own} collate "C"`, op, given);
  }
}

const SIGNS = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

function byOrder(own: SQL, op: Comparison, given: SQL): SQL {
  const sign = SIGNS[op as keyof typeof SIGNS];
  return sql`${own} ${sql.raw(sign)} ${given}`;
}
