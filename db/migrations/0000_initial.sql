CREATE TABLE `areas` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`city_id` integer,
	`name` text NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`city_id`) REFERENCES `cities`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `areas_isp` ON `areas` (`isp_id`);--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`isp_id` integer,
	`staff_id` integer,
	`actor` text NOT NULL,
	`source` text NOT NULL,
	`action` text NOT NULL,
	`entity` text NOT NULL,
	`entity_id` text NOT NULL,
	`before` text,
	`after` text,
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `audit_entries_at` ON `audit_entries` (`at`);--> statement-breakpoint
CREATE INDEX `audit_entries_entity` ON `audit_entries` (`entity`,`entity_id`);--> statement-breakpoint
CREATE INDEX `audit_entries_isp` ON `audit_entries` (`isp_id`,`at`);--> statement-breakpoint
CREATE TABLE `auth_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`nas_id` integer,
	`nas_address` text NOT NULL,
	`username` text NOT NULL,
	`subscriber_id` integer,
	`accepted` integer NOT NULL,
	`reason` text NOT NULL,
	`detail` text,
	`method` text,
	`mac` text,
	`class` blob,
	CONSTRAINT "auth_log_flags" CHECK("auth_log"."accepted" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE INDEX `auth_log_at` ON `auth_log` (`at`);--> statement-breakpoint
CREATE INDEX `auth_log_subscriber` ON `auth_log` (`subscriber_id`);--> statement-breakpoint
CREATE INDEX `auth_log_username` ON `auth_log` (`username`);--> statement-breakpoint
CREATE TABLE `branches` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`name` text NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `branches_isp` ON `branches` (`isp_id`);--> statement-breakpoint
CREATE TABLE `cities` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`name` text NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `cities_isp` ON `cities` (`isp_id`);--> statement-breakpoint
CREATE TABLE `generations` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `invoices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`subscriber_id` integer NOT NULL,
	`package_id` integer NOT NULL,
	`package_name` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`period_start` integer NOT NULL,
	`period_end` integer NOT NULL,
	`created_at` integer NOT NULL,
	`paid_at` integer,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`package_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `invoices_subscriber` ON `invoices` (`subscriber_id`);--> statement-breakpoint
CREATE INDEX `invoices_unpaid` ON `invoices` (`subscriber_id`) WHERE paid_at IS NULL;--> statement-breakpoint
CREATE INDEX `invoices_isp_created` ON `invoices` (`isp_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `isps` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `ledger_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer,
	`subscriber_id` integer,
	`staff_id` integer,
	`amount` integer NOT NULL,
	`balance_after` integer NOT NULL,
	`kind` text NOT NULL,
	`invoice_id` integer,
	`acting_staff_id` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`acting_staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "ledger_entries_account" CHECK(("ledger_entries"."subscriber_id" IS NULL) <> ("ledger_entries"."staff_id" IS NULL)),
	CONSTRAINT "ledger_entries_kind" CHECK("ledger_entries"."kind" IN ('opening', 'credit', 'activation', 'commission'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `ledger_entries_subscriber` ON `ledger_entries` (`subscriber_id`);--> statement-breakpoint
CREATE INDEX `ledger_entries_staff` ON `ledger_entries` (`staff_id`);--> statement-breakpoint
CREATE INDEX `ledger_entries_invoice` ON `ledger_entries` (`invoice_id`);--> statement-breakpoint
CREATE TABLE `nas` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`secret_sealed` blob NOT NULL,
	`require_message_authenticator` text DEFAULT 'auto' NOT NULL,
	`authenticator_seen` integer DEFAULT 0 NOT NULL,
	`swap_octets` integer DEFAULT 0 NOT NULL,
	`coa_port` integer DEFAULT 3799 NOT NULL,
	`disconnect_method` text DEFAULT 'auto' NOT NULL,
	`routeros_host` text,
	`routeros_port` integer,
	`routeros_username` text,
	`routeros_password_sealed` blob,
	`routeros_tls` integer DEFAULT 0 NOT NULL,
	`routeros_tls_fingerprint` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "nas_flags" CHECK("nas"."authenticator_seen" IN (0, 1) AND "nas"."swap_octets" IN (0, 1) AND "nas"."routeros_tls" IN (0, 1)),
	CONSTRAINT "nas_require_message_authenticator" CHECK("nas"."require_message_authenticator" IN ('auto', 'yes', 'no')),
	CONSTRAINT "nas_disconnect_method" CHECK("nas"."disconnect_method" IN ('auto', 'coa', 'routeros')),
	CONSTRAINT "nas_coa_port" CHECK("nas"."coa_port" BETWEEN 1 AND 65535)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `nas_address` ON `nas` (`address`);--> statement-breakpoint
CREATE UNIQUE INDEX `nas_name` ON `nas` (`isp_id`,`name`);--> statement-breakpoint
CREATE TABLE `packages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`name` text NOT NULL,
	`price` integer NOT NULL,
	`reseller_price` integer,
	`billing_type` text NOT NULL,
	`duration` integer NOT NULL,
	`duration_unit` text NOT NULL,
	`data_quota_bytes` integer DEFAULT 0 NOT NULL,
	`rate_limit` text,
	`quota_exceeded` text DEFAULT 'reject' NOT NULL,
	`framed_pool` text,
	`framed_ipv6_pool` text,
	`delegated_ipv6_pool` text,
	`address_list` text,
	`expired_pool` text,
	`expired_address_list` text,
	`simultaneous_use` integer DEFAULT 1 NOT NULL,
	`idle_timeout` integer,
	`status` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "packages_billing_type" CHECK("packages"."billing_type" IN ('prepaid', 'postpaid')),
	CONSTRAINT "packages_duration_unit" CHECK("packages"."duration_unit" IN ('hour', 'day', 'month')),
	CONSTRAINT "packages_ranges" CHECK("packages"."price" >= 0 AND "packages"."duration" > 0 AND "packages"."data_quota_bytes" >= 0 AND "packages"."simultaneous_use" > 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `packages_isp` ON `packages` (`isp_id`);--> statement-breakpoint
CREATE TABLE `permission_flags` (
	`name` text PRIMARY KEY NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `role_permissions` (
	`role_code` integer NOT NULL,
	`flag` text NOT NULL,
	`value` integer NOT NULL,
	PRIMARY KEY(`role_code`, `flag`),
	FOREIGN KEY (`role_code`) REFERENCES `roles`(`code`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`flag`) REFERENCES `permission_flags`(`name`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "role_permissions_flags" CHECK("role_permissions"."value" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE TABLE `roles` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`code` integer NOT NULL,
	`isp_id` integer NOT NULL,
	`name` text NOT NULL,
	`permissions_set` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "roles_flags" CHECK("roles"."permissions_set" IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `roles_code` ON `roles` (`code`);--> statement-breakpoint
CREATE INDEX `roles_isp` ON `roles` (`isp_id`);--> statement-breakpoint
CREATE TABLE `sequences` (
	`name` text PRIMARY KEY NOT NULL,
	`last` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `services` (
	`subscriber_id` integer PRIMARY KEY NOT NULL,
	`package_id` integer NOT NULL,
	`password_sealed` blob NOT NULL,
	`nt_hash_sealed` blob NOT NULL,
	`expires_at` integer NOT NULL,
	`activated_at` integer,
	`quota_total` integer DEFAULT 0 NOT NULL,
	`quota_used` integer DEFAULT 0 NOT NULL,
	`quota_crossed_at` integer,
	`rate_limit` text,
	`quota_exceeded` text DEFAULT 'reject' NOT NULL,
	`framed_pool` text,
	`framed_ipv6_pool` text,
	`delegated_ipv6_pool` text,
	`address_list` text,
	`expired_pool` text,
	`expired_address_list` text,
	`simultaneous_use` integer DEFAULT 1 NOT NULL,
	`idle_timeout` integer,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`package_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `services_expires` ON `services` (`expires_at`);--> statement-breakpoint
CREATE INDEX `services_package` ON `services` (`package_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`nas_id` integer,
	`nas_address` text NOT NULL,
	`local_address` text,
	`acct_session_id` text NOT NULL,
	`username` text NOT NULL,
	`subscriber_id` integer,
	`class` blob,
	`nas_port` integer,
	`nas_port_id` text,
	`nas_port_type` integer,
	`nas_ip` text,
	`nas_identifier` text,
	`called_station_id` text,
	`mac` text,
	`framed_ip` text,
	`framed_ipv6_prefix` text,
	`delegated_ipv6_prefix` text,
	`started_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`stopped_at` integer,
	`session_time` integer DEFAULT 0 NOT NULL,
	`input_octets` integer DEFAULT 0 NOT NULL,
	`output_octets` integer DEFAULT 0 NOT NULL,
	`counter_input` integer DEFAULT 0 NOT NULL,
	`counter_output` integer DEFAULT 0 NOT NULL,
	`terminate_cause` text,
	`closed_by` text,
	FOREIGN KEY (`nas_id`) REFERENCES `nas`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `sessions_key` ON `sessions` (`acct_session_id`,`nas_address`);--> statement-breakpoint
CREATE INDEX `sessions_subscriber` ON `sessions` (`subscriber_id`,`started_at`);--> statement-breakpoint
CREATE INDEX `sessions_framed_ip` ON `sessions` (`framed_ip`,`started_at`);--> statement-breakpoint
CREATE INDEX `sessions_framed_ipv6` ON `sessions` (`framed_ipv6_prefix`,`started_at`) WHERE framed_ipv6_prefix IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_delegated_ipv6` ON `sessions` (`delegated_ipv6_prefix`,`started_at`) WHERE delegated_ipv6_prefix IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_stopped` ON `sessions` (`stopped_at`) WHERE stopped_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_open_subscriber` ON `sessions` (`subscriber_id`) WHERE stopped_at IS NULL;--> statement-breakpoint
CREATE INDEX `sessions_open_port` ON `sessions` (`nas_address`,`nas_port_id`,`mac`) WHERE stopped_at IS NULL;--> statement-breakpoint
CREATE INDEX `sessions_open_address` ON `sessions` (`nas_address`,`framed_ip`) WHERE stopped_at IS NULL;--> statement-breakpoint
CREATE INDEX `sessions_open_updated` ON `sessions` (`updated_at`) WHERE stopped_at IS NULL;--> statement-breakpoint
CREATE TABLE `settings` (
	`isp_id` integer DEFAULT 0 NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`isp_id`, `key`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `staff` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer,
	`branch_id` integer,
	`name` text NOT NULL,
	`username` text NOT NULL,
	`username_key` text NOT NULL,
	`email` text,
	`email_key` text,
	`phone` text,
	`password_hash` text NOT NULL,
	`profile_type` integer NOT NULL,
	`role_code` integer,
	`status` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`branch_id`) REFERENCES `branches`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_code`) REFERENCES `roles`(`code`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "staff_profile_type" CHECK("staff"."profile_type" IN (1, 2, 3))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_username` ON `staff` (`username_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `staff_email` ON `staff` (`email_key`);--> statement-breakpoint
CREATE INDEX `staff_isp` ON `staff` (`isp_id`);--> statement-breakpoint
CREATE INDEX `staff_role` ON `staff` (`role_code`);--> statement-breakpoint
CREATE TABLE `staff_notes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`subscriber_id` integer NOT NULL,
	`note` text NOT NULL,
	`added_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`added_by`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `staff_notes_subscriber` ON `staff_notes` (`subscriber_id`);--> statement-breakpoint
CREATE TABLE `staff_tokens` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`staff_id` integer NOT NULL,
	`secret_hash` blob NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `staff_tokens_staff` ON `staff_tokens` (`staff_id`);--> statement-breakpoint
CREATE INDEX `staff_tokens_expires` ON `staff_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `subareas` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`area_id` integer,
	`name` text NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`area_id`) REFERENCES `areas`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `subareas_isp` ON `subareas` (`isp_id`);--> statement-breakpoint
CREATE TABLE `subscriber_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subscriber_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "subscriber_tokens_kind" CHECK("subscriber_tokens"."kind" IN ('app', 'portal'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `subscriber_tokens_subscriber` ON `subscriber_tokens` (`subscriber_id`);--> statement-breakpoint
CREATE INDEX `subscriber_tokens_expires` ON `subscriber_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `subscribers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`isp_id` integer NOT NULL,
	`branch_id` integer,
	`name` text NOT NULL,
	`username` text NOT NULL,
	`username_key` text NOT NULL,
	`password_sealed` blob NOT NULL,
	`portal_pass` text,
	`package_id` integer NOT NULL,
	`connection_type_id` integer NOT NULL,
	`salesperson_id` integer,
	`nas_id` integer,
	`nic_number` text NOT NULL,
	`mobile_number` text NOT NULL,
	`phone_number` text,
	`email` text,
	`email_key` text,
	`address` text,
	`city_id` integer,
	`area_id` integer,
	`subarea_id` integer,
	`latitude` real,
	`longitude` real,
	`box_number` text,
	`box_address` text,
	`uplink_port` text,
	`fiber_code` text,
	`fiber_color` text,
	`switch_board` text,
	`switch_port` text,
	`backup_connection` text,
	`electricity_socket` text,
	`cable_type` text,
	`static_ip` text,
	`framed_ipv6_prefix` text,
	`delegated_ipv6_prefix` text,
	`mac_address` text,
	`mac_lock` integer DEFAULT 0 NOT NULL,
	`mac_login` integer DEFAULT 0 NOT NULL,
	`sms_status` integer DEFAULT 0 NOT NULL,
	`status` integer DEFAULT 1 NOT NULL,
	`global_note` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`isp_id`) REFERENCES `isps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`branch_id`) REFERENCES `branches`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`package_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`salesperson_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`nas_id`) REFERENCES `nas`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`city_id`) REFERENCES `cities`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`area_id`) REFERENCES `areas`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`subarea_id`) REFERENCES `subareas`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "subscribers_flags" CHECK("subscribers"."mac_lock" IN (0, 1) AND "subscribers"."mac_login" IN (0, 1) AND "subscribers"."sms_status" IN (0, 1) AND "subscribers"."status" IN (0, 1)),
	CONSTRAINT "subscribers_connection_type" CHECK("subscribers"."connection_type_id" BETWEEN 1 AND 5)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_username` ON `subscribers` (`username_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_nic_number` ON `subscribers` (`nic_number`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_mobile_number` ON `subscribers` (`mobile_number`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_phone_number` ON `subscribers` (`phone_number`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_email` ON `subscribers` (`email_key`);--> statement-breakpoint
CREATE INDEX `subscribers_isp` ON `subscribers` (`isp_id`);--> statement-breakpoint
CREATE INDEX `subscribers_branch` ON `subscribers` (`branch_id`);--> statement-breakpoint
CREATE INDEX `subscribers_package` ON `subscribers` (`package_id`);--> statement-breakpoint
CREATE INDEX `subscribers_salesperson` ON `subscribers` (`salesperson_id`);--> statement-breakpoint
CREATE INDEX `subscribers_nas` ON `subscribers` (`nas_id`);--> statement-breakpoint
CREATE INDEX `subscribers_connection_type` ON `subscribers` (`connection_type_id`);--> statement-breakpoint
CREATE INDEX `subscribers_static_ip` ON `subscribers` (`static_ip`);--> statement-breakpoint
CREATE INDEX `subscribers_mac_address` ON `subscribers` (`mac_address`);--> statement-breakpoint
CREATE INDEX `subscribers_mac_lock` ON `subscribers` (`mac_lock`);--> statement-breakpoint
CREATE INDEX `subscribers_sms_status` ON `subscribers` (`sms_status`);--> statement-breakpoint
CREATE INDEX `subscribers_status` ON `subscribers` (`status`);--> statement-breakpoint
CREATE TABLE `usage_days` (
	`subscriber_id` integer NOT NULL,
	`day` integer NOT NULL,
	`input_octets` integer DEFAULT 0 NOT NULL,
	`output_octets` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`subscriber_id`, `day`),
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `usage_days_day` ON `usage_days` (`day`);
--> statement-breakpoint
CREATE TRIGGER `ledger_entries_no_update` BEFORE UPDATE ON `ledger_entries` BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;--> statement-breakpoint
CREATE TRIGGER `ledger_entries_no_delete` BEFORE DELETE ON `ledger_entries` BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;--> statement-breakpoint
CREATE TRIGGER `audit_entries_no_update` BEFORE UPDATE ON `audit_entries` BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;--> statement-breakpoint
INSERT INTO `generations` (`name`, `value`) VALUES ('configuration', 0);--> statement-breakpoint
CREATE TRIGGER `nas_inserted` AFTER INSERT ON `nas` BEGIN UPDATE `generations` SET `value` = `value` + 1 WHERE `name` = 'configuration'; END;--> statement-breakpoint
CREATE TRIGGER `nas_updated` AFTER UPDATE ON `nas` BEGIN UPDATE `generations` SET `value` = `value` + 1 WHERE `name` = 'configuration'; END;--> statement-breakpoint
CREATE TRIGGER `nas_deleted` AFTER DELETE ON `nas` BEGIN UPDATE `generations` SET `value` = `value` + 1 WHERE `name` = 'configuration'; END;--> statement-breakpoint
CREATE TRIGGER `settings_inserted` AFTER INSERT ON `settings` BEGIN UPDATE `generations` SET `value` = `value` + 1 WHERE `name` = 'configuration'; END;--> statement-breakpoint
CREATE TRIGGER `settings_updated` AFTER UPDATE ON `settings` BEGIN UPDATE `generations` SET `value` = `value` + 1 WHERE `name` = 'configuration'; END;--> statement-breakpoint
CREATE TRIGGER `settings_deleted` AFTER DELETE ON `settings` BEGIN UPDATE `generations` SET `value` = `value` + 1 WHERE `name` = 'configuration'; END;--> statement-breakpoint
INSERT INTO `permission_flags` (`name`) VALUES ('api_access'), ('hrm_module'), ('notice_view'), ('notice_add_new'), ('role_view'), ('role_manage'), ('subscriber_view'), ('subscriber_add'), ('subscriber_edit'), ('subscriber_note'), ('subscriber_password'), ('subscriber_mac'), ('subscriber_activate'), ('subscriber_disconnect');
