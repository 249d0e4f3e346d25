import { takeTurns } from '#lib/base/turns.ts';
import { runText } from '#lib/infra/db/client.ts';
import { STATEMENT_LIMIT_MS } from '#lib/infra/db/pool/pool-settings.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireActor, type Write } from '../../access/context.ts';
import { noteRead } from '../../audit/note-read.ts';
import { write } from '../../audit/write.ts';
import { inOrder } from '../../store/many/in-order.ts';
import { refuseTaken } from '../create-at.ts';
import { shown } from '../shown.ts';
import { takeIn, withAccounts } from '../take-in.ts';
import { createMany, deleteMany, isPlain, type Known, lockAll, updateMany } from './change-many.ts';
import { createManyAt } from './create-many-at.ts';
import { findMatches } from './find-matches.ts';
import { findNames, type Names, toName, writeLinks } from './links.ts';
import { requireReferred } from './require-referred.ts';
import { resolveReferences } from './resolve-references.ts';
import { atStep, type Outcome, type Step, type Target } from './steps.ts';
import { toTargets } from './targets.ts';

/** Does one step by its verb, in the transaction. `resource` with the id of what is changed; resolves to the answer and the id of what was made. */
export type Alone<R> = (ctx: Ctx, step: Step, target: Target) => Promise<{ reply: R; id?: string }>;

/**
 * All of it or nothing (R4 http §3.1.0.11.2): conditions are resolved before anything changes; then DELETE, POST, PUT and PATCH, and what is
 * read sees them. What is plain is done many at once; what a type adds its own rules to, one by one. Throws what the first step that cannot
 * be done throws, as a StepError. Outcomes stand at the places of their steps.
 */
export async function runTransaction<R>(ctx: Ctx, steps: readonly Step[], alone: Alone<R>): Promise<Outcome<R>[]> {
  requireActor(ctx);
  const names = await findNames(steps);
  return write(ctx, async (w, inner) => {
    // Of what only reads nothing is left to say.
    w.unchanged();
    return new Transaction(w, inner, { steps, names, alone }).run();
  });
}

type Asked<R> = { steps: readonly Step[]; names: Names; alone: Alone<R> };

class Transaction<R> {
  private readonly w: Write;
  private readonly ctx: Ctx & { write: Write };
  private readonly asked: Asked<R>;
  private readonly outcomes: Outcome<R>[] = [];
  private targets = new Map<number, Target>();
  private readonly making = new Set<string>();
  /** What a name of the Bundle means now. */
  private readonly known = new Map<string, string>();
  /** As it is stored. */
  private readonly written = new Map<number, Resource>();
  private readonly turn = takeTurns();

  constructor(w: Write, ctx: Ctx & { write: Write }, asked: Asked<R>) {
    this.w = w;
    this.ctx = ctx;
    this.asked = asked;
  }

  async run(): Promise<Outcome<R>[]> {
    const { steps, names } = this.asked;
    const conditions = steps.flatMap(({ index, type, condition }) =>
      condition === undefined ? [] : [{ index, type, text: condition }],
    );
    this.targets = await toTargets(this.ctx, steps, async () => findMatches(this.ctx, conditions, true));
    this.name();
    for (const { index, type } of steps) {
      const target = this.targets.get(index);
      if ((target?.isNew || target?.isChosen) && target.id !== undefined) this.making.add(`${type}/${target.id}`);
    }
    const validated = await this.validate();
    const found = await resolveReferences(this.ctx, { steps, names, targets: this.targets, validated });
    for (const [name, reference] of found) this.known.set(name, reference);
    await this.lock();
    await this.delete();
    await this.create(validated);
    await this.update(validated);
    await requireReferred(this.ctx, this.written);
    await this.read();
    return this.outcomes;
  }

  private name(): void {
    for (const { index, type, fullUrl, verb } of this.asked.steps) {
      const id = this.targets.get(index)?.id;
      if (fullUrl !== undefined && id !== undefined && verb !== 'read')
        this.known.set(toName(fullUrl), `${type}/${id}`);
    }
  }

  /** With something of the right type in place of what is not known yet. */
  private async validate(): Promise<Map<number, Resource>> {
    const { steps, names } = this.asked;
    const known = new Map(this.known);
    for (const text of names.conditional.keys()) known.set(text, `${text.slice(0, text.indexOf('?'))}/0`);
    for (const { fullUrl, type, verb } of steps) {
      if (fullUrl === undefined || verb === 'read') continue;
      if (!known.has(toName(fullUrl))) known.set(toName(fullUrl), `${type}/0`);
    }
    const validated = new Map<number, Resource>();
    for (const step of steps) {
      if (step.resource === undefined || step.verb === 'patch' || step.verb === 'read') continue;
      await this.turn();
      const id = step.verb === 'update' ? step.id : undefined;
      const resource = await atStep(step.index, () => {
        writeLinks(names.linksOf.get(step.index) ?? [], known);
        return takeIn({ ...this.ctx, referring: () => {} }, step.type, step.resource, id);
      });
      validated.set(step.index, resource);
    }
    return validated;
  }

  /** Where more than one kind of work locks what is there: each keeps the order of all, and all of them together would not. */
  private async lock(): Promise<void> {
    const kinds = new Set<string>();
    const known = this.asked.steps.flatMap((step): Known[] => {
      const { index, type, verb } = step;
      const { id, isNew, isChosen } = this.targets.get(index) ?? {};
      if (id === undefined || isNew || verb === 'create' || verb === 'read') return [];
      const isMany = verb !== 'patch' && isPlain(type, verb);
      kinds.add(`${isChosen ? 'chosen' : isMany ? 'many' : 'alone'} ${verb === 'delete' ? verb : 'update'}`);
      return [{ ...step, id }];
    });
    if (kinds.size > 1) await lockAll(this.ctx, known);
  }

  private async delete(): Promise<void> {
    const steps = this.asked.steps.filter(({ verb }) => verb === 'delete');
    const some = steps.filter(({ index }) => this.targets.get(index)?.id !== undefined);
    for (const step of steps) if (!some.includes(step)) this.outcomes[step.index] = { deleted: true };
    const plain = some.filter(({ type }) => isPlain(type, 'delete'));
    await deleteMany(
      this.ctx,
      plain.map((step) => ({ ...step, id: this.targets.get(step.index)!.id! })),
    );
    for (const { index } of plain) this.outcomes[index] = { deleted: true };
    await this.doEach(some.filter(({ type }) => !isPlain(type, 'delete')));
  }

  private async create(validated: Map<number, Resource>): Promise<void> {
    const { steps } = this.asked;
    const actor = requireActor(this.ctx);
    const isThere = ({ index, verb }: Step) => verb === 'create' && this.targets.get(index)?.row;
    for (const step of steps) {
      const row = isThere(step);
      if (!row) continue;
      const seen = await shown(actor, row, this.ctx.write.tx);
      noteRead(this.ctx, step.type, row.id);
      this.outcomes[step.index] = { written: { row: seen, created: false, changed: false } };
    }
    const wanted = steps.filter((step) => {
      return !isThere(step) && (step.verb === 'create' || this.targets.get(step.index)?.isNew);
    });
    // Their ids are told when they are there.
    for (const step of wanted.filter(({ type }) => !isPlain(type, 'create'))) {
      const id = await this.doAlone(step);
      if (step.fullUrl !== undefined && id !== undefined) this.known.set(toName(step.fullUrl), `${step.type}/${id}`);
    }
    const plain = wanted.filter(({ type }) => isPlain(type, 'create'));
    const items = await Promise.all(plain.map((step) => this.finish(step, validated)));
    for (const [at, row] of (await createMany(this.ctx, items)).entries())
      this.outcomes[plain[at]!.index] = { written: { row, created: true, changed: true } };
  }

  private async update(validated: Map<number, Resource>): Promise<void> {
    const steps = this.asked.steps.filter(({ index, verb }) => {
      return (verb === 'update' || verb === 'patch') && !this.targets.get(index)?.isNew;
    });
    const isMany = ({ type, verb }: Step) => verb === 'update' && isPlain(type, 'update');
    const items = await Promise.all(steps.filter(isMany).map((step) => this.finish(step, validated)));
    const chosen = await this.chosen(steps);
    const written = await updateMany(
      this.ctx,
      items.filter(({ index }) => !chosen.has(index)),
    );
    const missing = items.filter(({ index }) => !written.has(index));
    for (const [index, one] of await createManyAt(this.ctx, missing)) written.set(index, one);
    for (const [index, one] of written) this.outcomes[index] = { written: one };
    await this.doEach(steps.filter(({ index }) => !written.has(index)));
  }

  /** Those that nothing matches, and whose body says under which id they are to be, by index. Throws 409 for one that is taken. */
  private async chosen(steps: readonly Step[]): Promise<Set<number>> {
    const known = steps.flatMap((step): Known[] => {
      const { id, isChosen } = this.targets.get(step.index) ?? {};
      return isChosen && id !== undefined ? [{ ...step, id }] : [];
    });
    const isTaken = await lockAll(this.ctx, known);
    for (const step of known) if (isTaken(step)) await atStep(step.index, () => refuseTaken(step.type, step.id));
    return new Set(known.map(({ index }) => index));
  }

  /** Its resource as it is to be stored: with what its links mean now, and nothing that only the platform says. */
  private async finish(
    step: Step,
    validated: Map<number, Resource>,
  ): Promise<Step & { id: string; resource: Resource }> {
    await atStep(step.index, () => writeLinks(this.asked.names.linksOf.get(step.index) ?? [], this.known));
    const { meta: _, ...rest } = step.resource!;
    const { meta } = validated.get(step.index)!;
    // What stands in it of accounts may be an entry beside it, too, which has its id by now.
    const { accounts: __, ...said } = meta ?? {};
    const plain = (Object.keys(said).length > 0 ? { ...rest, meta: said } : rest) as Resource;
    const resource = await atStep(step.index, () => withAccounts(this.ctx, plain, step.resource!));
    this.written.set(step.index, resource);
    return { ...step, id: this.targets.get(step.index)!.id!, resource };
  }

  /** None of them longer than a search by itself may take: others wait for what is locked. */
  private async read(): Promise<void> {
    const steps = this.asked.steps.filter(({ verb }) => verb === 'read');
    if (steps.length === 0) return;
    await runText(this.w.tx, `select set_config('statement_timeout', '${STATEMENT_LIMIT_MS}', true)`, []);
    for (const step of steps) await this.doAlone(step);
  }

  /** One by one, in the order that all keep: each locks what it is about. */
  private async doEach(steps: readonly Step[]): Promise<void> {
    const keyOf = ({ index, type, id = '' }: Step) => ({ type, id: this.targets.get(index)?.id ?? id });
    for (const step of inOrder(steps, keyOf)) await this.doAlone(step);
  }

  private async doAlone(step: Step): Promise<string | undefined> {
    await this.turn();
    return atStep(step.index, async () => {
      writeLinks(this.asked.names.linksOf.get(step.index) ?? [], this.known);
      const referring = (resource: Resource) => void this.written.set(step.index, resource);
      const { reply, id } = await this.asked.alone(
        { ...this.ctx, referring, making: this.making },
        step,
        this.targets.get(step.index) ?? { id: undefined },
      );
      this.outcomes[step.index] = { alone: reply };
      return id;
    });
  }
}
