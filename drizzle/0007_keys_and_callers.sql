-- By hand. Every process drops its signing keys, whoever changes one: an administrator of the database, too.
CREATE FUNCTION "signing_key_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('gatehouse_invalidate', 'signing-keys');
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "signing_key_changed" AFTER INSERT OR UPDATE OR DELETE ON "signing_key" FOR EACH STATEMENT EXECUTE FUNCTION "signing_key_changed"();--> statement-breakpoint
-- Who acted for somebody else stood where that somebody belongs.
UPDATE "audit_event" a SET "actor" = a."on_behalf_of", "on_behalf_of" = a."actor", "actor_membership" = (
  SELECT k."membership_id" FROM "membership_key" k WHERE k."project_id" = a."project_id" AND k."profile_ref" = a."on_behalf_of" ORDER BY k."slot" LIMIT 1)
WHERE a."on_behalf_of" IS NOT NULL;