import type { BotScheduleAnswer, ScheduleQuery } from '#lib/protocol/bots/times/bot-schedule.ts';
import { nextTimes, readSchedule } from '#lib/protocol/bots/times/schedule.ts';
import { TIME_ZONE } from '#lib/protocol/bots/times/time-zone.ts';
import type { Ctx } from '../access/context.ts';
import { findSchedule } from '../bot-events/due-schedules.ts';
import { requireOwnBot } from './require-own-bot.ts';

const NEXT = 5;

/** Throws what `requireOwnBot` throws, and 422 for times that are none. */
export async function readBotSchedule(
  ctx: Ctx,
  projectId: string,
  botId: string,
  { cron, timing, zone }: ScheduleQuery,
): Promise<BotScheduleAnswer> {
  await requireOwnBot(ctx, projectId, botId);
  const known = await findSchedule(projectId, botId);
  const extension = zone === undefined ? [] : [{ url: TIME_ZONE, valueCode: zone }];
  const isAsked = cron !== undefined || timing !== undefined;
  const schedule = isAsked ? readSchedule({ cronString: cron, cronTiming: timing, extension }) : known?.schedule;
  const next = schedule ? nextTimes(schedule, new Date(), NEXT) : [];
  return {
    zone: schedule?.zone ?? null,
    next: next.map((time) => time.toISOString()),
    lastAt: known?.lastAt ?? null,
    note: known?.note ?? null,
    missed: known?.missed ?? null,
  };
}
