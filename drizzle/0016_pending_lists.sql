-- By hand. What waits to come into the index of tokens is read by every search for one: of 128 pages that was a third of an invitation, of
-- 32 it is not, and to merge them costs a create the same.
DO $$
DECLARE name text;
BEGIN
  FOR name IN
    SELECT i.inhrelid::regclass::text FROM pg_inherits i WHERE i.inhparent = 'resource_tokens'::regclass
  LOOP
    EXECUTE format('ALTER INDEX %s SET (gin_pending_list_limit = 256)', name);
  END LOOP;
END $$;
