'use client';
import { FileSearch, Play, Square } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { cn } from '#components/ui/cn.ts';
import { Card } from '#components/ui/display/card.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { controlClass } from '#components/ui/form/control-class.ts';
import { Select } from '#components/ui/form/select.tsx';
import { Tooltip } from '#components/ui/overlay/tooltip.tsx';
import { useModKey } from '#components/ui/use-mod-key.ts';
import { useHold } from '#lib/client/api/use-draft.ts';
import type { BotInput, InputKind } from '#lib/client/bots/execute.ts';
import type { FoundResource } from '#lib/client/bots/find-resources.ts';
import { HL7_SAMPLES } from '#lib/client/bots/hl7/samples.ts';
import { useCanary } from '#lib/client/bots/release.ts';
import { BOT_TEMPLATES } from '#lib/client/bots/templates.ts';
import { Hl7Workbench } from '../editor/input/hl7-workbench.tsx';
import { RunOutput } from './run-output.tsx';
import type { BotRunner } from './use-bot-runner.ts';

const ResourcePicker = dynamic(
  () => import('../editor/input/resource-picker.tsx').then((module) => module.ResourcePicker),
  { ssr: false },
);

const KINDS: readonly { value: InputKind; label: string }[] = [
  { value: 'json', label: 'POST · JSON' },
  { value: 'text', label: 'POST · Text' },
  { value: 'form', label: 'POST · Form' },
  { value: 'fhir', label: 'POST · FHIR JSON' },
  { value: 'hl7', label: 'POST · HL7 v2' },
  { value: 'query', label: 'GET · Query' },
];

/** What each kind starts from, while the box still holds the start of another. */
const STARTS: Record<InputKind, string> = {
  json: '{}',
  text: 'Hello',
  form: 'name=Ada\nward=3',
  fhir: '{\n  "resourceType": "Patient",\n  "name": [{ "family": "Everyday" }]\n}',
  hl7: 'MSH|^~\\&|ADT|HILLSIDE|GATEHOUSE|HILLSIDE|202611201200||ADT^A01|MSG00001|P|2.5\nPID|1||RN-1001^^^HILLSIDE^MR||Everyday^Eve',
  query: 'days=7',
};

function isUntouched(text: string): boolean {
  const samples = [...HL7_SAMPLES, ...BOT_TEMPLATES.map(({ sample }) => sample)];
  return text.trim() === '' || Object.values(STARTS).includes(text) || samples.some((sample) => sample.text === text);
}

export type RunPanelProps = {
  projectId: string;
  botId: string;
  runner: BotRunner;
  live: number | null | undefined;
  differs: boolean;
  onRun: () => void;
};

/** What the box was filled with, and what that was. */
type Picked = { text: string; name: string };

/** Input above, answer below. It is the live version that runs, and on a share of the runs one that is tried. */
export function RunPanel({ projectId, botId, runner, live, differs, onRun }: RunPanelProps) {
  const canary = useCanary(projectId, botId).data?.canary;
  const { input, setInput } = runner;
  const box = useRef<HTMLTextAreaElement>(null);
  const [isPicking, setPicking] = useState(false);
  const [picked, setPicked] = useState<Picked>();
  const isTyped = !isUntouched(input.text) && input.text !== picked?.text;
  useHold(isTyped);
  const choose = (kind: InputKind) => {
    setInput({ kind, text: isUntouched(input.text) ? STARTS[kind] : input.text });
  };
  /** What somebody typed is not gone for that. */
  const replace = (next: BotInput) => {
    const before = input;
    setInput(next);
    if (isTyped) toast({ title: 'The input was replaced', undo: () => setInput(before) });
  };
  const pick = ({ resource, version }: FoundResource) => {
    const text = JSON.stringify(resource, null, 2);
    setPicked({ text, name: `${resource.resourceType}/${resource.id}, version ${version}` });
    replace({ kind: 'fhir', text });
    setPicking(false);
  };
  return (
    <div className="flex min-w-0 flex-col gap-4 lg:h-[38rem]">
      <Card className="flex flex-col overflow-hidden">
        <div className="flex h-11 shrink-0 items-center gap-2 border-line border-b bg-sunken/60 pr-2 pl-4 max-sm:pl-2">
          <h2 className="mr-auto whitespace-nowrap font-medium max-sm:sr-only">Input</h2>
          <Select
            aria-label="Method and content type"
            value={input.kind}
            onValueChange={choose}
            options={KINDS}
            className="h-8 whitespace-nowrap text-[0.8125rem] max-sm:mr-auto max-sm:min-w-36"
          />
          <Tooltip text="Choose a resource">
            <Button size="icon-sm" variant="ghost" aria-label="Choose a resource" onClick={() => setPicking(true)}>
              <FileSearch aria-hidden="true" />
            </Button>
          </Tooltip>
          <RunButton runner={runner} live={live} onRun={onRun} />
        </div>
        <textarea
          ref={box}
          data-runs
          aria-label={input.kind === 'query' ? 'Query, one name=value a line' : 'Input'}
          value={input.text}
          onChange={(event) => setInput({ kind: input.kind, text: event.target.value })}
          spellCheck={false}
          autoCapitalize="off"
          className={cn(
            controlClass,
            'block h-32 resize-y whitespace-pre rounded-none border-0 px-4 py-3.5 font-mono text-[0.8125rem] leading-5 shadow-none max-sm:text-base',
          )}
        />
        {input.kind === 'hl7' ? (
          <Hl7Workbench box={box} text={input.text} onSample={(text) => replace({ kind: 'hl7', text })} />
        ) : null}
        {picked?.text === input.text ? (
          <p role="status" className="shrink-0 truncate border-line border-t px-4 py-1.5 text-muted text-xs">
            {picked.name}
          </p>
        ) : null}
        <p className="shrink-0 border-line border-t px-4 py-1.5 text-muted text-xs">
          {toNote(input.kind, live, differs)}
          {live && canary?.state === 'running'
            ? ` On ${canary.share} % of the runs version ${canary.version} is tried, also of these.`
            : ''}
        </p>
      </Card>
      <RunOutput projectId={projectId} runner={runner} />
      {isPicking ? <ResourcePicker projectId={projectId} onPick={pick} onClose={() => setPicking(false)} /> : null}
    </div>
  );
}

/** One button whether it runs or not: it keeps its focus. */
function RunButton({ runner, live, onRun }: Pick<RunPanelProps, 'runner' | 'live' | 'onRun'>) {
  const mod = useModKey();
  const { running, stop } = runner;
  return (
    <Tooltip text={running ? undefined : `${mod} Enter`}>
      <Button
        size="sm"
        variant={running ? 'secondary' : 'primary'}
        disabled={live === undefined && !running}
        onClick={running ? stop : onRun}
      >
        {running ? <Square aria-hidden="true" /> : <Play aria-hidden="true" />}
        {running ? 'Stop waiting' : live === null ? 'Deploy and run' : 'Run'}
      </Button>
    </Tooltip>
  );
}

function toNote(kind: InputKind, live: number | null | undefined, differs: boolean): string {
  if (live === null) return 'Nothing is deployed yet: Run deploys this code first.';
  if (differs && live) return `Runs version ${live}. The draft runs once it is deployed.`;
  if (kind === 'form' || kind === 'query') return 'One name=value a line.';
  return live ? `Runs version ${live}, for real: what it writes is kept.` : ' ';
}
