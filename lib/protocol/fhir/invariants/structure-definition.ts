import { child, has, hasAny, hasChoice, isDistinct, items, type Node, type Rules } from './node.ts';

const VIEWS = ['snapshot', 'differential'];
const SPECIFICATION = 'http://hl7.org/fhir/StructureDefinition';

const elements = (node: Node, view: string) => items(child(node, view) ?? {}, 'element');
const eachView = (holds: (list: Node[]) => boolean) => (node: Node) =>
  VIEWS.every((view) => holds(elements(node, view)));
const isRoot = ({ path }: Node) => !String(path).includes('.');
const hasIds = (view: string) => (node: Node) => isDistinct(elements(node, view).map(({ id }) => id));
const isLogical = (node: Node) => node.kind === 'logical';
const noDefaults = eachView((list) => !list.some((element) => hasChoice(element, 'defaultValue')));

/** sdf-1 … 23, which read every element of a profile once each. */
export const STRUCTURE_DEFINITION: Rules = {
  StructureDefinition: {
    'sdf-1': (node) =>
      node.derivation === 'constraint' || isDistinct(elements(node, 'snapshot').map(({ path }) => path)),
    // HL7's own definitions of what stands at the top of all have none.
    'sdf-4': (node) =>
      node.abstract === true || has(node, 'baseDefinition') || String(node.url).startsWith(SPECIFICATION),
    'sdf-5': (node) => node.type !== 'Extension' || node.derivation === 'specialization' || has(node, 'context'),
    'sdf-6': (node) => hasAny(node, ...VIEWS),
    'sdf-8': (node) =>
      !has(node, 'snapshot') || startAt(elements(node, 'snapshot'), isLogical(node) ? undefined : node.type),
    'sdf-8a': (node) => {
      const list = elements(node, 'differential');
      const [first] = list;
      const start = String(first?.path).split('.')[0];
      return (
        !first ||
        ((isLogical(node) || start === node.type) &&
          list.slice(1).every(({ path }) => String(path).startsWith(`${start}.`)))
      );
    },
    'sdf-8b': (node) => elements(node, 'snapshot').every((element) => has(element, 'base')),
    'sdf-9': eachView(
      (list) => !list.some((element) => isRoot(element) && hasAny(element, 'label', 'code', 'requirements')),
    ),
    'sdf-10': (node) =>
      items(child(node, 'snapshot') ?? {}, 'element').every(({ binding }) => {
        return binding === undefined || hasAny(binding as Node, 'valueSet', 'description');
      }),
    'sdf-11': (node) => isLogical(node) || !has(node, 'snapshot') || elements(node, 'snapshot')[0]?.path === node.type,
    'sdf-14': eachView((list) => list.every((element) => has(element, 'id'))),
    'sdf-15': (node) => isLogical(node) || !has(elements(node, 'snapshot')[0] ?? {}, 'type'),
    'sdf-15a': (node) => {
      const [first] = elements(node, 'differential');
      return isLogical(node) || !first || !isRoot(first) || !has(first, 'type');
    },
    'sdf-16': hasIds('snapshot'),
    'sdf-17': hasIds('differential'),
    'sdf-18': (node) => !has(node, 'contextInvariant') || node.type === 'Extension',
    'sdf-20': (node) => !elements(node, 'differential').some((element) => isRoot(element) && has(element, 'slicing')),
    'sdf-21': (node) =>
      node.derivation === 'specialization' ||
      !elements(node, 'differential').some((element) => hasChoice(element, 'defaultValue')),
    'sdf-22': (node) => !String(node.url).startsWith(SPECIFICATION) || noDefaults(node),
    'sdf-23': eachView((list) => !list.some((element) => isRoot(element) && has(element, 'sliceName'))),
  },
  'StructureDefinition.mapping': { 'sdf-2': (node) => hasAny(node, 'name', 'uri') },
  'StructureDefinition.snapshot': {
    'sdf-3': (node) =>
      items(node, 'element').every((element) => ['definition', 'min', 'max'].every((name) => has(element, name))),
  },
};

function startAt(list: Node[], type: unknown): boolean {
  const [root, ...rest] = list;
  if (!root || (type !== undefined && root.path !== type)) return false;
  return rest.every(({ path }) => String(path).startsWith(`${root.path}.`));
}
