/*M!999999\- enable the sandbox mode */ 
-- MariaDB dump 10.19  Distrib 10.11.19-MariaDB, for debian-linux-gnu (x86_64)
--
-- Host: localhost    Database: radiusdesk
-- ------------------------------------------------------
-- Server version	10.11.19-MariaDB-0+deb12u1

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET @OLD_CHARACTER_SET_RESULTS=@@CHARACTER_SET_RESULTS */;
/*!40101 SET @OLD_COLLATION_CONNECTION=@@COLLATION_CONNECTION */;
/*!40101 SET NAMES utf8mb4 */;
/*!40103 SET @OLD_TIME_ZONE=@@TIME_ZONE */;
/*!40103 SET TIME_ZONE='+00:00' */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;

--
-- Table structure for table `devices`
--

DROP TABLE IF EXISTS `devices`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `devices` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` varchar(128) NOT NULL,
  `description` varchar(255) NOT NULL,
  `active` tinyint(1) NOT NULL DEFAULT 0,
  `permanent_user_id` int(11) DEFAULT NULL,
  `created` datetime NOT NULL,
  `modified` datetime NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `devices`
--

LOCK TABLES `devices` WRITE;
/*!40000 ALTER TABLE `devices` DISABLE KEYS */;
INSERT INTO `devices` VALUES
(1,'00-11-22-33-44-55','telephone',1,1,'2024-05-01 10:00:00','2024-05-01 10:00:00'),
(2,'00-11-22-33-44-66','laptop',1,10,'2024-05-01 10:00:00','2024-05-01 10:00:00');
/*!40000 ALTER TABLE `devices` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `dynamic_clients`
--

DROP TABLE IF EXISTS `dynamic_clients`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `dynamic_clients` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` varchar(64) NOT NULL DEFAULT '',
  `nasidentifier` varchar(128) NOT NULL DEFAULT '',
  `calledstationid` varchar(128) NOT NULL DEFAULT '',
  `last_contact` datetime DEFAULT NULL,
  `last_contact_ip` varchar(128) NOT NULL DEFAULT '',
  `created` datetime NOT NULL,
  `modified` datetime NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `dynamic_clients`
--

LOCK TABLES `dynamic_clients` WRITE;
/*!40000 ALTER TABLE `dynamic_clients` DISABLE KEYS */;
INSERT INTO `dynamic_clients` VALUES
(1,'Café','cafe-1','',NULL,'203.0.113.9','2024-05-01 10:00:00','2024-05-01 10:00:00');
/*!40000 ALTER TABLE `dynamic_clients` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `nas`
--

DROP TABLE IF EXISTS `nas`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `nas` (
  `id` int(10) NOT NULL AUTO_INCREMENT,
  `nasname` varchar(128) NOT NULL,
  `shortname` varchar(32) DEFAULT NULL,
  `nasidentifier` varchar(64) NOT NULL DEFAULT '',
  `type` varchar(30) DEFAULT 'other',
  `ports` int(5) DEFAULT NULL,
  `secret` varchar(60) NOT NULL DEFAULT 'secret',
  `server` varchar(64) DEFAULT NULL,
  `community` varchar(50) DEFAULT NULL,
  `description` varchar(200) DEFAULT 'RADIUS Client',
  `connection_type` enum('direct','openvpn','pptp','dynamic') DEFAULT 'direct',
  `created` datetime NOT NULL,
  `modified` datetime NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `nas`
--

LOCK TABLES `nas` WRITE;
/*!40000 ALTER TABLE `nas` DISABLE KEYS */;
INSERT INTO `nas` VALUES
(1,'10.0.0.1','north','north-1','other',NULL,'north-secret',NULL,NULL,'RADIUS Client','direct','2024-05-01 10:00:00','2024-05-01 10:00:00'),
(2,'dynamic-2','anywhere','south-1','other',NULL,'south-secret',NULL,NULL,'RADIUS Client','dynamic','2024-05-01 10:00:00','2024-05-01 10:00:00');
/*!40000 ALTER TABLE `nas` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `permanent_users`
--

DROP TABLE IF EXISTS `permanent_users`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `permanent_users` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `username` varchar(255) NOT NULL,
  `password` varchar(50) NOT NULL,
  `token` char(36) DEFAULT NULL,
  `name` varchar(50) NOT NULL,
  `surname` varchar(50) NOT NULL,
  `address` varchar(255) NOT NULL,
  `phone` varchar(50) NOT NULL,
  `email` varchar(100) NOT NULL,
  `auth_type` varchar(128) NOT NULL DEFAULT 'sql',
  `active` tinyint(1) NOT NULL DEFAULT 0,
  `last_accept_time` datetime DEFAULT NULL,
  `last_accept_nas` varchar(128) DEFAULT NULL,
  `perc_time_used` int(6) DEFAULT NULL,
  `perc_data_used` int(6) DEFAULT NULL,
  `data_used` bigint(20) DEFAULT NULL,
  `data_cap` bigint(20) DEFAULT NULL,
  `time_used` int(12) DEFAULT NULL,
  `time_cap` int(12) DEFAULT NULL,
  `time_cap_type` enum('hard','soft') DEFAULT 'soft',
  `data_cap_type` enum('hard','soft') DEFAULT 'soft',
  `realm` varchar(50) NOT NULL DEFAULT '',
  `realm_id` int(11) DEFAULT NULL,
  `profile` varchar(50) NOT NULL DEFAULT '',
  `profile_id` int(11) DEFAULT NULL,
  `from_date` datetime DEFAULT NULL,
  `to_date` datetime DEFAULT NULL,
  `track_auth` tinyint(1) NOT NULL DEFAULT 0,
  `track_acct` tinyint(1) NOT NULL DEFAULT 1,
  `static_ip` varchar(50) NOT NULL DEFAULT '',
  `extra_name` varchar(100) NOT NULL DEFAULT '',
  `extra_value` varchar(100) NOT NULL DEFAULT '',
  `cloud_id` int(11) DEFAULT NULL,
  `created` datetime NOT NULL,
  `modified` datetime NOT NULL,
  `site` varchar(100) NOT NULL DEFAULT '',
  `ppsk` varchar(100) NOT NULL DEFAULT '',
  `realm_vlan_id` int(11) DEFAULT NULL,
  `session_limit` int(4) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=11 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `permanent_users`
--

LOCK TABLES `permanent_users` WRITE;
/*!40000 ALTER TABLE `permanent_users` DISABLE KEYS */;
INSERT INTO `permanent_users` VALUES
(1,'lina@north','7c4a8d09ca3762af61e59520943dc26494f8941b','b4c6ac81-8c7c-4802-b50a-0a6380555b50','Lina','D\'Souza','1 \"Hill\" Road\nNorthtown','0790000101','lina@example.net','sql',1,NULL,NULL,NULL,NULL,0,NULL,0,NULL,'soft','soft','North',1,'Home 10M',1,'2026-01-01 00:00:00','2026-12-15 00:00:00',0,1,'','','',NULL,'2024-05-01 10:00:00','2024-05-01 10:00:00','Tower 1','',NULL,0),
(2,'capped','7c4a8d09ca3762af61e59520943dc26494f8941b',NULL,'Cap','Ped','','','','sql',1,NULL,NULL,NULL,NULL,1073741824,5368709120,NULL,NULL,'soft','soft','South',2,'Data 5G',2,NULL,NULL,0,1,'','','',NULL,'2024-05-01 10:00:00','2024-05-01 10:00:00','','',NULL,0),
(3,'off','7c4a8d09ca3762af61e59520943dc26494f8941b',NULL,'Off','','','-','root@localhost','sql',0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'soft','soft','South',2,'Home 10M',1,NULL,'2026-11-30 00:00:00',0,1,'','','',NULL,'2024-05-01 10:00:00','2024-05-01 10:00:00','','',NULL,0),
(4,'no.clear','7c4a8d09ca3762af61e59520943dc26494f8941b',NULL,'','','','0','','sql',1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'soft','soft','South',2,'Home 10M',1,NULL,NULL,0,1,'','','',NULL,'2024-05-01 10:00:00','2024-05-01 10:00:00','','',NULL,0),
(5,'Lina@North','7c4a8d09ca3762af61e59520943dc26494f8941b',NULL,'Lina','Two','','0790000101','','sql',1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'soft','soft','North',1,'Home 10M',1,NULL,NULL,0,1,'100.64.9.9','ID','9781234567',NULL,'2024-05-01 10:00:00','2024-05-01 10:00:00','','',NULL,0),
(6,'topped.up','7c4a8d09ca3762af61e59520943dc26494f8941b',NULL,'Top','Up','','0790000106','top@example.net','sql',1,NULL,NULL,NULL,NULL,536870912,3221225472,NULL,NULL,'soft','soft','South',2,'Prepaid top-up',3,NULL,NULL,0,1,'','','',NULL,'2024-05-01 10:00:00','2024-05-01 10:00:00','','',NULL,0),
(7,'ليلى','7c4a8d09ca3762af61e59520943dc26494f8941b',NULL,'ليلى','حداد 🌷','شارع ٢','٠٧٩٠٠٠٠١٠٧','','sql',1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'soft','soft','',NULL,'A profile of nothing',5,NULL,NULL,0,1,'','','',NULL,'2024-05-01 10:00:00','2024-05-01 10:00:00','','',NULL,2),
(8,'ldap.user','7c4a8d09ca3762af61e59520943dc26494f8941b',NULL,'L','Dap','','','','ldap',1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'soft','soft','North',1,'Home 10M',1,NULL,NULL,0,1,'','','',NULL,'2024-05-01 10:00:00','2024-05-01 10:00:00','','',NULL,0),
(9,'second.top','7c4a8d09ca3762af61e59520943dc26494f8941b',NULL,'Second','','','0790000109','','sql',1,NULL,NULL,NULL,NULL,1073700000,1073741824,NULL,NULL,'soft','soft','South',2,'Prepaid top-up',3,NULL,NULL,0,1,'','','',NULL,'2024-05-01 10:00:00','2024-05-01 10:00:00','','',NULL,0),
(10,'locked','7c4a8d09ca3762af61e59520943dc26494f8941b',NULL,'Locked','','','0790000110','','sql',1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'soft','soft','South',2,'Home 10M',1,NULL,NULL,0,1,'','','',NULL,'2024-05-01 10:00:00','2024-05-01 10:00:00','','',NULL,0);
/*!40000 ALTER TABLE `permanent_users` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `profile_components`
--

DROP TABLE IF EXISTS `profile_components`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `profile_components` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` varchar(128) NOT NULL,
  `created` datetime NOT NULL,
  `modified` datetime NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=6 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `profile_components`
--

LOCK TABLES `profile_components` WRITE;
/*!40000 ALTER TABLE `profile_components` DISABLE KEYS */;
INSERT INTO `profile_components` VALUES
(1,'SimpleAdd_1','2024-05-01 10:00:00','2024-05-01 10:00:00'),
(2,'SimpleAdd_2','2024-05-01 10:00:00','2024-05-01 10:00:00'),
(3,'SimpleAdd_3','2024-05-01 10:00:00','2024-05-01 10:00:00'),
(4,'SimpleAdd_4','2024-05-01 10:00:00','2024-05-01 10:00:00'),
(5,'Pool-Gold','2024-05-01 10:00:00','2024-05-01 10:00:00');
/*!40000 ALTER TABLE `profile_components` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `profiles`
--

DROP TABLE IF EXISTS `profiles`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `profiles` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` varchar(128) NOT NULL,
  `cloud_id` int(11) DEFAULT NULL,
  `created` datetime NOT NULL,
  `modified` datetime NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=6 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `profiles`
--

LOCK TABLES `profiles` WRITE;
/*!40000 ALTER TABLE `profiles` DISABLE KEYS */;
INSERT INTO `profiles` VALUES
(1,'Home 10M',23,'2024-05-01 10:00:00','2024-05-01 10:00:00'),
(2,'Data 5G',23,'2024-05-01 10:00:00','2024-05-01 10:00:00'),
(3,'Prepaid top-up',23,'2024-05-01 10:00:00','2024-05-01 10:00:00'),
(4,'Hour',23,'2024-05-01 10:00:00','2024-05-01 10:00:00'),
(5,'A profile of nothing',23,'2024-05-01 10:00:00','2024-05-01 10:00:00');
/*!40000 ALTER TABLE `profiles` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radacct`
--

DROP TABLE IF EXISTS `radacct`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `radacct` (
  `radacctid` bigint(21) NOT NULL AUTO_INCREMENT,
  `acctsessionid` varchar(64) NOT NULL DEFAULT '',
  `acctuniqueid` varchar(32) NOT NULL DEFAULT '',
  `username` varchar(64) NOT NULL DEFAULT '',
  `groupname` varchar(64) NOT NULL DEFAULT '',
  `realm` varchar(64) DEFAULT '',
  `nasipaddress` varchar(15) NOT NULL DEFAULT '',
  `nasidentifier` varchar(64) NOT NULL DEFAULT '',
  `nasportid` varchar(15) DEFAULT NULL,
  `nasporttype` varchar(32) DEFAULT NULL,
  `acctstarttime` datetime DEFAULT NULL,
  `acctupdatetime` datetime DEFAULT NULL,
  `acctstoptime` datetime DEFAULT NULL,
  `acctsessiontime` int(12) unsigned DEFAULT NULL,
  `acctinputoctets` bigint(20) DEFAULT NULL,
  `acctoutputoctets` bigint(20) DEFAULT NULL,
  `calledstationid` varchar(50) NOT NULL DEFAULT '',
  `callingstationid` varchar(50) NOT NULL DEFAULT '',
  `servicetype` varchar(32) DEFAULT NULL,
  `framedprotocol` varchar(32) DEFAULT NULL,
  `framedipaddress` varchar(15) NOT NULL DEFAULT '',
  PRIMARY KEY (`radacctid`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radacct`
--

LOCK TABLES `radacct` WRITE;
/*!40000 ALTER TABLE `radacct` DISABLE KEYS */;
INSERT INTO `radacct` VALUES
(1,'81e00001','r1','lina@north','','North','10.0.0.1','north-1','1',NULL,'2026-11-21 08:00:00','2026-11-22 08:55:00',NULL,89700,1000000,50000000,'pppoe','AA:BB:CC:DD:00:01','Framed-User','PPP','100.64.8.1'),
(2,'81d00001','r2','capped','','South','10.0.0.1','north-1','2',NULL,'2026-11-10 08:00:00','2026-11-10 09:00:00','2026-11-10 09:00:00',3600,73741824,1000000000,'hotspot','AA:BB:CC:DD:00:02','Login-User',NULL,'10.5.50.9');
/*!40000 ALTER TABLE `radacct` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radcheck`
--

DROP TABLE IF EXISTS `radcheck`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `radcheck` (
  `id` int(11) unsigned NOT NULL AUTO_INCREMENT,
  `username` varchar(64) NOT NULL DEFAULT '',
  `attribute` varchar(64) NOT NULL DEFAULT '',
  `op` char(2) NOT NULL DEFAULT ':=',
  `value` varchar(253) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=49 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radcheck`
--

LOCK TABLES `radcheck` WRITE;
/*!40000 ALTER TABLE `radcheck` DISABLE KEYS */;
INSERT INTO `radcheck` VALUES
(1,'lina@north','Cleartext-Password',':=','lina\'s \"pass\\word\"'),
(2,'lina@north','User-Profile',':=','Home 10M'),
(3,'lina@north','Rd-Realm',':=','North'),
(4,'lina@north','Rd-Account-Disabled',':=','0'),
(5,'lina@north','Expiration',':=','15 Dec 2026'),
(6,'lina@north','Rd-User-Type',':=','user'),
(7,'capped','Cleartext-Password',':=','capped-1'),
(8,'capped','User-Profile',':=','Data 5G'),
(9,'capped','Rd-Realm',':=','South'),
(10,'capped','Rd-Account-Disabled',':=','0'),
(11,'capped','Rd-User-Type',':=','user'),
(12,'off','Cleartext-Password',':=','off-1'),
(13,'off','User-Profile',':=','Home 10M'),
(14,'off','Rd-Realm',':=','South'),
(15,'off','Rd-Account-Disabled',':=','1'),
(16,'off','Rd-User-Type',':=','user'),
(17,'no.clear','User-Profile',':=','Home 10M'),
(18,'no.clear','Rd-User-Type',':=','user'),
(19,'Lina@North','Cleartext-Password',':=','another lina'),
(20,'Lina@North','User-Profile',':=','Home 10M'),
(21,'Lina@North','Rd-User-Type',':=','user'),
(22,'topped.up','Cleartext-Password',':=','topped'),
(23,'topped.up','User-Profile',':=','Prepaid top-up'),
(24,'topped.up','Rd-Total-Data',':=','3221225472'),
(25,'topped.up','Rd-User-Type',':=','user'),
(26,'ليلى','Cleartext-Password',':=','سر'),
(27,'ليلى','User-Profile',':=','A profile of nothing'),
(28,'ليلى','Rd-User-Type',':=','user'),
(29,'ldap.user','Rd-Auth-Type',':=','ldap'),
(30,'ldap.user','User-Profile',':=','Home 10M'),
(31,'ldap.user','Rd-User-Type',':=','user'),
(32,'second.top','Cleartext-Password',':=','second'),
(33,'second.top','User-Profile',':=','Prepaid top-up'),
(34,'second.top','Rd-Total-Data',':=','1073741824'),
(35,'second.top','Rd-Account-Activation-Time',':=','1 Jan 2027'),
(36,'second.top','Rd-User-Type',':=','user'),
(37,'locked','Cleartext-Password',':=','locked-1'),
(38,'locked','User-Profile',':=','Home 10M'),
(39,'locked','Rd-Mac-Check',':=','1'),
(40,'locked','Rd-User-Type',':=','user'),
(41,'card-0001','Cleartext-Password',':=','card-0001'),
(42,'card-0001','User-Profile',':=','Hour'),
(43,'card-0001','Rd-Realm',':=','North'),
(44,'card-0001','Rd-Voucher',':=','1-00-00-00'),
(45,'card-0001','Rd-User-Type',':=','voucher'),
(46,'00-11-22-33-44-55','Rd-User-Type',':=','device'),
(47,'00-11-22-33-44-55','Cleartext-Password',':=','00-11-22-33-44-55'),
(48,'00-11-22-33-44-55','User-Profile',':=','Home 10M');
/*!40000 ALTER TABLE `radcheck` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radgroupcheck`
--

DROP TABLE IF EXISTS `radgroupcheck`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `radgroupcheck` (
  `id` int(11) unsigned NOT NULL AUTO_INCREMENT,
  `groupname` varchar(64) NOT NULL DEFAULT '',
  `attribute` varchar(64) NOT NULL DEFAULT '',
  `op` char(2) NOT NULL DEFAULT ':=',
  `value` varchar(253) NOT NULL DEFAULT '',
  `comment` varchar(253) NOT NULL DEFAULT '',
  `created` datetime NOT NULL,
  `modified` datetime NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=10 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radgroupcheck`
--

LOCK TABLES `radgroupcheck` WRITE;
/*!40000 ALTER TABLE `radgroupcheck` DISABLE KEYS */;
INSERT INTO `radgroupcheck` VALUES
(1,'SimpleAdd_1','Simultaneous-Use',':=','1','','2024-05-01 10:00:00','2024-05-01 10:00:00'),
(2,'SimpleAdd_2','Rd-Reset-Type-Data',':=','monthly','','2024-05-01 10:00:00','2024-05-01 10:00:00'),
(3,'SimpleAdd_2','Rd-Total-Data',':=','5368709120','','2024-05-01 10:00:00','2024-05-01 10:00:00'),
(4,'SimpleAdd_2','Rd-Cap-Type-Data',':=','hard','','2024-05-01 10:00:00','2024-05-01 10:00:00'),
(5,'SimpleAdd_3','Rd-Reset-Type-Data',':=','never','','2024-05-01 10:00:00','2024-05-01 10:00:00'),
(6,'SimpleAdd_3','Rd-Cap-Type-Data',':=','hard','','2024-05-01 10:00:00','2024-05-01 10:00:00'),
(7,'SimpleAdd_4','Rd-Reset-Type-Time',':=','never','','2024-05-01 10:00:00','2024-05-01 10:00:00'),
(8,'SimpleAdd_4','Rd-Total-Time',':=','3600','','2024-05-01 10:00:00','2024-05-01 10:00:00'),
(9,'SimpleAdd_4','Rd-Cap-Type-Time',':=','hard','','2024-05-01 10:00:00','2024-05-01 10:00:00');
/*!40000 ALTER TABLE `radgroupcheck` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radgroupreply`
--

DROP TABLE IF EXISTS `radgroupreply`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `radgroupreply` (
  `id` int(11) unsigned NOT NULL AUTO_INCREMENT,
  `groupname` varchar(64) NOT NULL DEFAULT '',
  `attribute` varchar(64) NOT NULL DEFAULT '',
  `op` char(2) NOT NULL DEFAULT ':=',
  `value` varchar(253) NOT NULL DEFAULT '',
  `comment` varchar(253) NOT NULL DEFAULT '',
  `created` datetime NOT NULL,
  `modified` datetime NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=8 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radgroupreply`
--

LOCK TABLES `radgroupreply` WRITE;
/*!40000 ALTER TABLE `radgroupreply` DISABLE KEYS */;
INSERT INTO `radgroupreply` VALUES
(1,'SimpleAdd_1','Mikrotik-Rate-Limit',':=','2048k/10240k','','2024-05-01 10:00:00','2024-05-01 10:00:00'),
(2,'SimpleAdd_1','Fall-Through',':=','Yes','','2024-05-01 10:00:00','2024-05-01 10:00:00'),
(3,'SimpleAdd_2','WISPr-Bandwidth-Max-Up',':=','1048576','','2024-05-01 10:00:00','2024-05-01 10:00:00'),
(4,'SimpleAdd_2','WISPr-Bandwidth-Max-Down',':=','4194304','','2024-05-01 10:00:00','2024-05-01 10:00:00'),
(5,'SimpleAdd_2','Fall-Through',':=','Yes','','2024-05-01 10:00:00','2024-05-01 10:00:00'),
(6,'Pool-Gold','Framed-Pool',':=','gold','','2024-05-01 10:00:00','2024-05-01 10:00:00'),
(7,'Pool-Gold','Idle-Timeout',':=','900','','2024-05-01 10:00:00','2024-05-01 10:00:00');
/*!40000 ALTER TABLE `radgroupreply` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radreply`
--

DROP TABLE IF EXISTS `radreply`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `radreply` (
  `id` int(11) unsigned NOT NULL AUTO_INCREMENT,
  `username` varchar(64) NOT NULL DEFAULT '',
  `attribute` varchar(64) NOT NULL DEFAULT '',
  `op` char(2) NOT NULL DEFAULT ':=',
  `value` varchar(253) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radreply`
--

LOCK TABLES `radreply` WRITE;
/*!40000 ALTER TABLE `radreply` DISABLE KEYS */;
INSERT INTO `radreply` VALUES
(1,'Lina@North','Framed-IP-Address',':=','100.64.9.9'),
(2,'Lina@North','Service-Type',':=','Framed-User'),
(3,'topped.up','Mikrotik-Rate-Limit',':=','1M/8M');
/*!40000 ALTER TABLE `radreply` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radusergroup`
--

DROP TABLE IF EXISTS `radusergroup`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `radusergroup` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `username` varchar(64) NOT NULL DEFAULT '',
  `groupname` varchar(64) NOT NULL DEFAULT '',
  `priority` int(11) NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=6 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radusergroup`
--

LOCK TABLES `radusergroup` WRITE;
/*!40000 ALTER TABLE `radusergroup` DISABLE KEYS */;
INSERT INTO `radusergroup` VALUES
(1,'Home 10M','SimpleAdd_1',5),
(2,'Home 10M','Pool-Gold',6),
(3,'Data 5G','SimpleAdd_2',5),
(4,'Prepaid top-up','SimpleAdd_3',5),
(5,'Hour','SimpleAdd_4',5);
/*!40000 ALTER TABLE `radusergroup` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `realms`
--

DROP TABLE IF EXISTS `realms`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `realms` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` varchar(64) NOT NULL DEFAULT '',
  `phone` varchar(14) NOT NULL DEFAULT '',
  `email` varchar(128) NOT NULL DEFAULT '',
  `city` char(50) NOT NULL DEFAULT '',
  `lat` double DEFAULT NULL,
  `lon` double DEFAULT NULL,
  `cloud_id` int(11) DEFAULT NULL,
  `created` datetime NOT NULL,
  `modified` datetime NOT NULL,
  `suffix` char(200) NOT NULL DEFAULT '',
  `suffix_permanent_users` tinyint(1) NOT NULL DEFAULT 0,
  `suffix_vouchers` tinyint(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `realms`
--

LOCK TABLES `realms` WRITE;
/*!40000 ALTER TABLE `realms` DISABLE KEYS */;
INSERT INTO `realms` VALUES
(1,'North','','','Irbid',32.5556,35.85,NULL,'2024-05-01 10:00:00','2024-05-01 10:00:00','north',1,0),
(2,'South','','','Aqaba',NULL,NULL,NULL,'2024-05-01 10:00:00','2024-05-01 10:00:00','',0,0);
/*!40000 ALTER TABLE `realms` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `top_ups`
--

DROP TABLE IF EXISTS `top_ups`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `top_ups` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `cloud_id` int(11) DEFAULT NULL,
  `permanent_user_id` int(11) DEFAULT NULL,
  `data` bigint(11) DEFAULT NULL,
  `time` int(11) DEFAULT NULL,
  `days_to_use` int(11) DEFAULT NULL,
  `comment` varchar(255) NOT NULL,
  `created` datetime NOT NULL,
  `modified` datetime NOT NULL,
  `type` enum('data','time','days_to_use') DEFAULT 'data',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `top_ups`
--

LOCK TABLES `top_ups` WRITE;
/*!40000 ALTER TABLE `top_ups` DISABLE KEYS */;
INSERT INTO `top_ups` VALUES
(1,NULL,6,1073741824,NULL,NULL,'first','2026-10-01 10:00:00','2024-05-01 10:00:00','data'),
(2,NULL,6,2147483648,NULL,NULL,'it\'s \"second\"','2026-11-02 10:00:00','2024-05-01 10:00:00','data'),
(3,NULL,1,NULL,NULL,30,'','2026-11-15 10:00:00','2024-05-01 10:00:00','days_to_use'),
(4,NULL,77,NULL,3600,NULL,'of who left','2026-11-15 10:00:00','2024-05-01 10:00:00','time');
/*!40000 ALTER TABLE `top_ups` ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `vouchers`
--

DROP TABLE IF EXISTS `vouchers`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE `vouchers` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` varchar(64) DEFAULT NULL,
  `batch` varchar(128) NOT NULL DEFAULT '',
  `status` enum('new','used','depleted','expired') DEFAULT 'new',
  `perc_time_used` int(6) DEFAULT NULL,
  `perc_data_used` int(6) DEFAULT NULL,
  `cloud_id` int(11) DEFAULT NULL,
  `created` datetime NOT NULL,
  `modified` datetime NOT NULL,
  `extra_name` varchar(100) NOT NULL DEFAULT '',
  `extra_value` varchar(100) NOT NULL DEFAULT '',
  `password` varchar(30) NOT NULL DEFAULT '',
  `realm` varchar(50) NOT NULL DEFAULT '',
  `realm_id` int(11) DEFAULT NULL,
  `profile` varchar(50) NOT NULL DEFAULT '',
  `profile_id` int(11) DEFAULT NULL,
  `expire` datetime DEFAULT NULL,
  `time_valid` varchar(10) NOT NULL DEFAULT '',
  `data_used` bigint(20) DEFAULT NULL,
  `data_cap` bigint(20) DEFAULT NULL,
  `time_used` int(12) DEFAULT NULL,
  `time_cap` int(12) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `vouchers`
--

LOCK TABLES `vouchers` WRITE;
/*!40000 ALTER TABLE `vouchers` DISABLE KEYS */;
INSERT INTO `vouchers` VALUES
(1,'card-0001','summer','new',NULL,NULL,NULL,'2024-05-01 10:00:00','2024-05-01 10:00:00','','','card-0001','North',1,'Hour',4,NULL,'1-00-00-00',NULL,NULL,NULL,86400),
(2,'card-0002','summer','used',NULL,NULL,NULL,'2024-05-01 10:00:00','2024-05-01 10:00:00','','','card-0002','North',1,'Hour',4,NULL,'',1000000,NULL,600,NULL),
(3,'card-0003','summer','depleted',NULL,NULL,NULL,'2024-05-01 10:00:00','2024-05-01 10:00:00','','','card-0003','North',1,'Hour',4,NULL,'',NULL,NULL,NULL,NULL),
(4,'card-0004','','expired',NULL,NULL,NULL,'2024-05-01 10:00:00','2024-05-01 10:00:00','','','card-0004','North',1,'Hour',4,'2025-01-01 00:00:00','',NULL,NULL,NULL,NULL),
(5,'two-words','summer','new',NULL,NULL,NULL,'2024-05-01 10:00:00','2024-05-01 10:00:00','','','other','North',1,'Hour',4,NULL,'',NULL,NULL,NULL,NULL),
(6,'too-late','','new',NULL,NULL,NULL,'2024-05-01 10:00:00','2024-05-01 10:00:00','','','too-late','North',1,'Hour',4,'2026-01-01 00:00:00','',NULL,NULL,NULL,NULL);
/*!40000 ALTER TABLE `vouchers` ENABLE KEYS */;
UNLOCK TABLES;
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;

/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
/*!40101 SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS */;
/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;

-- Dump completed on 2026-11-22 12:05:53
