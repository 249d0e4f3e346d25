ALTER TABLE "bulk_job_row" ADD COLUMN "lane" smallint;
