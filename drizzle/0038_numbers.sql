CREATE TABLE "ix_quantity" (
	"project_id" uuid NOT NULL,
	"param" integer NOT NULL,
	"key" bigint NOT NULL,
	"lo" double precision NOT NULL,
	"hi" double precision NOT NULL,
	"tags" bigint[] NOT NULL,
	"base" bigint,
	"base_lo" double precision,
	"base_hi" double precision,
	"id" text collate "C" NOT NULL
);
--> statement-breakpoint
CREATE INDEX "ix_quantity_value" ON "ix_quantity" USING btree ("project_id","param","key","lo","hi","id");--> statement-breakpoint
CREATE INDEX "ix_quantity_base" ON "ix_quantity" USING btree ("project_id","param","key","base","base_lo","base_hi","id") WHERE "ix_quantity"."base" is not null;--> statement-breakpoint
CREATE INDEX "ix_quantity_end" ON "ix_quantity" USING btree ("project_id","param","key","hi","id") WHERE "ix_quantity"."hi" > "ix_quantity"."lo";--> statement-breakpoint
CREATE INDEX "ix_quantity_base_end" ON "ix_quantity" USING btree ("project_id","param","key","base","base_hi","id") WHERE "ix_quantity"."base_hi" > "ix_quantity"."base_lo";--> statement-breakpoint
CREATE INDEX "ix_quantity_id" ON "ix_quantity" USING btree ("project_id","id");