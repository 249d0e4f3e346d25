CREATE TABLE "ix_words" (
	"project_id" uuid NOT NULL,
	"param" integer NOT NULL,
	"words" bigint[] NOT NULL,
	"text" text NOT NULL,
	"id" text collate "C" NOT NULL
);
--> statement-breakpoint
CREATE INDEX "ix_words_words" ON "ix_words" USING gin ("words") WITH (fastupdate=true,gin_pending_list_limit=1024);--> statement-breakpoint
CREATE INDEX "ix_words_id" ON "ix_words" USING btree ("project_id","id");