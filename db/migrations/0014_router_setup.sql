CREATE TABLE `router_setups` (
	`nas_id` integer PRIMARY KEY NOT NULL,
	`before_sealed` blob NOT NULL,
	`set_up_at` integer NOT NULL,
	FOREIGN KEY (`nas_id`) REFERENCES `nas`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
