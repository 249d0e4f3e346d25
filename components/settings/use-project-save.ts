'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
import { whilePending } from '#lib/client/api/pending.ts';
import { keys } from '#lib/client/api/query-keys.ts';
import { type ProjectEdit, readProject, useSaveProject } from '#lib/client/settings/settings.ts';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';

/** Saves a part of the project. When it changed meanwhile, what is stored now becomes `conflict` and nothing typed is lost. */
export function useProjectSave(project: Stored<Project>) {
  const cache = useQueryClient();
  const write = useSaveProject(project.id);
  const [conflict, setConflict] = useState<{ theirs: Stored<Project>; mine: ProjectEdit }>();

  /** Throws what is not a conflict, for the form to show. True when it is saved. */
  async function save(edit: ProjectEdit, over: Stored<Project> = project): Promise<boolean> {
    try {
      await write.mutateAsync({ project: over, edit });
      setConflict(undefined);
      toast({ title: 'Settings saved' });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error;
      const theirs = await readProject(project.id);
      // They changed something else: both changes stand.
      if (isUntouched(edit, over, theirs)) return save(edit, theirs);
      setConflict({ theirs, mine: edit });
      return false;
    }
  }

  function takeTheirs() {
    void cache.invalidateQueries({ queryKey: keys.settings(project.id) });
    setConflict(undefined);
  }

  return {
    save: (...of: Parameters<typeof save>) => whilePending(() => save(...of)),
    saving: write.isPending,
    conflict,
    takeTheirs,
  };
}

function isUntouched(edit: ProjectEdit, before: Project, now: Project): boolean {
  const fields = Object.keys(edit) as (keyof ProjectEdit)[];
  return fields.every((field) => JSON.stringify(before[field]) === JSON.stringify(now[field]));
}
