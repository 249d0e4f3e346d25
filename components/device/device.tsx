'use client';
import { useState } from 'react';
import type { DeviceQuestion as Question } from '#lib/protocol/answers/authorization.ts';
import { DeviceCodeForm } from './device-code-form.tsx';
import { DeviceDone } from './device-done.tsx';
import { DeviceQuestion } from './device-question.tsx';

type Step =
  | { name: 'code' }
  | { name: 'question'; userCode: string; asked: Question }
  | { name: 'done'; isIn: boolean; app: string };

/** The code of a device, what it asks, and what became of it. `userCode`: as the device's own link brings it. */
export function Device({ userCode }: { userCode: string | undefined }) {
  const [step, setStep] = useState<Step>({ name: 'code' });
  if (step.name === 'done') return <DeviceDone isIn={step.isIn} app={step.app} />;
  if (step.name === 'question')
    return (
      <DeviceQuestion
        userCode={step.userCode}
        asked={step.asked}
        onAnswered={(isIn) => setStep({ name: 'done', isIn, app: step.asked.app.name })}
      />
    );
  return (
    <DeviceCodeForm
      userCode={userCode}
      onFound={(code, asked) => setStep({ name: 'question', userCode: code, asked })}
    />
  );
}
