ALTER TABLE `nas` ADD `fast_track_left` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `nas` ADD `setup_choices` text;
