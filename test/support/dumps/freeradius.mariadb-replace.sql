/*M!999999\- enable the sandbox mode */ 
-- MariaDB dump 10.19  Distrib 10.11.19-MariaDB, for debian-linux-gnu (x86_64)
--
-- Host: localhost    Database: freeradius
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
-- Table structure for table `log`
--

DROP TABLE IF EXISTS log;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE log (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  line varchar(200) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `log`
--

LOCK TABLES log WRITE;
/*!40000 ALTER TABLE log DISABLE KEYS */;
/*!40000 ALTER TABLE log ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `nas`
--

DROP TABLE IF EXISTS nas;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE nas (
  `id` int(10) NOT NULL AUTO_INCREMENT,
  nasname varchar(128) NOT NULL,
  shortname varchar(32) DEFAULT NULL,
  `type` varchar(30) DEFAULT 'other',
  ports int(5) DEFAULT NULL,
  secret varchar(60) NOT NULL DEFAULT 'secret',
  `server` varchar(64) DEFAULT NULL,
  community varchar(50) DEFAULT NULL,
  description varchar(200) DEFAULT 'RADIUS Client',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=5 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `nas`
--

LOCK TABLES nas WRITE;
/*!40000 ALTER TABLE nas DISABLE KEYS */;
REPLACE INTO nas VALUES
(1,'10.0.0.1','main','other',1812,'it\'s a \\ secret',NULL,NULL,'Main router'),
(2,'10.0.0.2','hotspot','mikrotik',NULL,'hotspot-secret',NULL,NULL,'Café «Zentral» — مقهى'),
(3,'10.20.0.0/16','towers','other',NULL,'towers-secret',NULL,NULL,NULL),
(4,'router.example.net','by-name','other',NULL,'secret',NULL,NULL,'a name, no address');
/*!40000 ALTER TABLE nas ENABLE KEYS */;
UNLOCK TABLES;

--
-- Temporary table structure for view `online`
--

DROP TABLE IF EXISTS online;
/*!50001 DROP VIEW IF EXISTS online*/;
SET @saved_cs_client     = @@character_set_client;
SET character_set_client = utf8mb4;
/*!50001 CREATE VIEW `online` AS SELECT
 NULL AS username,
 NULL AS framedipaddress */;
SET character_set_client = @saved_cs_client;

--
-- Table structure for table `photos`
--

DROP TABLE IF EXISTS photos;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE photos (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  username varchar(64) NOT NULL,
  photo mediumblob DEFAULT NULL,
  flags bit(8) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `photos`
--

LOCK TABLES photos WRITE;
/*!40000 ALTER TABLE photos DISABLE KEYS */;
REPLACE INTO photos VALUES
(1,'ahmad.saleh',0x000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F606162636465666768696A6B6C6D6E6F707172737475767778797A7B7C7D7E7F808182838485868788898A8B8C8D8E8F909192939495969798999A9B9C9D9E9FA0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0B1B2B3B4B5B6B7B8B9BABBBCBDBEBFC0C1C2C3C4C5C6C7C8C9CACBCCCDCECFD0D1D2D3D4D5D6D7D8D9DADBDCDDDEDFE0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF,NULL),
(2,'O\'Neil','',NULL),
(3,'omar',NULL,NULL);
/*!40000 ALTER TABLE photos ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radacct`
--

DROP TABLE IF EXISTS radacct;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE radacct (
  radacctid bigint(21) NOT NULL AUTO_INCREMENT,
  acctsessionid varchar(64) NOT NULL DEFAULT '',
  acctuniqueid varchar(32) NOT NULL DEFAULT '',
  username varchar(64) NOT NULL DEFAULT '',
  realm varchar(64) DEFAULT '',
  nasipaddress varchar(15) NOT NULL DEFAULT '',
  nasportid varchar(32) DEFAULT NULL,
  nasporttype varchar(32) DEFAULT NULL,
  acctstarttime datetime DEFAULT NULL,
  acctupdatetime datetime DEFAULT NULL,
  acctstoptime datetime DEFAULT NULL,
  acctinterval int(12) DEFAULT NULL,
  acctsessiontime int(12) unsigned DEFAULT NULL,
  acctauthentic varchar(32) DEFAULT NULL,
  connectinfo_start varchar(128) DEFAULT NULL,
  connectinfo_stop varchar(128) DEFAULT NULL,
  acctinputoctets bigint(20) DEFAULT NULL,
  acctoutputoctets bigint(20) DEFAULT NULL,
  calledstationid varchar(50) NOT NULL DEFAULT '',
  callingstationid varchar(50) NOT NULL DEFAULT '',
  acctterminatecause varchar(32) NOT NULL DEFAULT '',
  servicetype varchar(32) DEFAULT NULL,
  framedprotocol varchar(32) DEFAULT NULL,
  framedipaddress varchar(15) NOT NULL DEFAULT '',
  framedipv6address varchar(45) NOT NULL DEFAULT '',
  framedipv6prefix varchar(45) NOT NULL DEFAULT '',
  framedinterfaceid varchar(44) NOT NULL DEFAULT '',
  delegatedipv6prefix varchar(45) NOT NULL DEFAULT '',
  class varchar(64) DEFAULT NULL,
  PRIMARY KEY (radacctid)
) ENGINE=InnoDB AUTO_INCREMENT=10 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radacct`
--

LOCK TABLES radacct WRITE;
/*!40000 ALTER TABLE radacct DISABLE KEYS */;
REPLACE INTO radacct VALUES
(1,'81d00001','u0000000000000000000000000000001','ahmad.saleh','','10.0.0.1','15728641','Ethernet','2026-11-20 08:00:00','2026-11-22 08:55:00',NULL,NULL,175500,NULL,NULL,NULL,1200345678,45000123456,'pppoe-main','AA:BB:CC:DD:EE:01','','Framed-User','PPP','100.64.0.11','','','','',NULL),
(2,'80000a17','u0000000000000000000000000000002','AA:BB:CC:00:11:22','','10.0.0.2','bridge-hs','Wireless-802.11','2026-11-22 07:10:00','2026-11-22 08:50:00',NULL,NULL,6000,NULL,NULL,NULL,5000000,60000000,'hotspot1','AA:BB:CC:00:11:22','','Login-User',NULL,'10.5.50.20','','','','',NULL),
(3,'deadbeef','u0000000000000000000000000000003','expired','','10.0.0.1','1','Ethernet','2024-03-01 10:00:00','2024-03-01 11:00:00',NULL,NULL,3600,NULL,NULL,NULL,10,20,'pppoe-main','AA:BB:CC:DD:EE:02','','Framed-User','PPP','100.64.0.12','','','','',NULL),
(4,'81d00009','u0000000000000000000000000000004','josé','','192.0.2.77','9','Ethernet','2026-11-22 06:00:00',NULL,NULL,NULL,0,NULL,NULL,NULL,0,0,'pppoe-x','AA:BB:CC:DD:EE:03','','Framed-User','PPP','100.64.0.13','','','','',NULL),
(5,'81c00001','u0000000000000000000000000000005','ahmad.saleh','','10.0.0.1','15728640','Ethernet','2026-11-05 08:00:00','2026-11-20 07:50:00','2026-11-20 07:59:00',NULL,1295940,NULL,NULL,NULL,3000000000,90000000000,'pppoe-main','AA:BB:CC:DD:EE:01','User-Request','Framed-User','PPP','100.64.0.11','','','','',NULL),
(6,'81c00002','u0000000000000000000000000000006','O\'Neil','','10.0.0.1','15728639','Ethernet','2026-10-28 08:00:00','2026-11-02 07:50:00','2026-11-02 08:00:00',NULL,432000,NULL,NULL,NULL,500000000,7000000000,'pppoe-main','AA:BB:CC:DD:EE:04','Lost-Carrier','Framed-User','PPP','100.64.0.14','','','','',NULL),
(7,'81b00001','u0000000000000000000000000000007','omar','','10.0.0.1','15728630','Ethernet','2026-10-01 08:00:00','2026-10-09 07:50:00','2026-10-09 08:00:00',NULL,691200,NULL,NULL,NULL,100,200,'pppoe-main','AA:BB:CC:DD:EE:05','NAS-Reboot','Framed-User','PPP','100.64.0.15','','','','',NULL),
(8,'81c00003','u0000000000000000000000000000008','سمير','','10.0.0.1','15728638','Ethernet','2026-11-03 08:00:00','2026-11-04 07:50:00','2026-11-04 08:00:00',NULL,86400,NULL,NULL,NULL,9007199254740993,9223372036854775807,'pppoe-main','AA:BB:CC:DD:EE:06','','Framed-User','PPP','100.64.0.16','','','','',NULL),
(9,'80000b18','u0000000000000000000000000000009','locked.device','','10.0.0.2','bridge-hs','Wireless-802.11','2026-11-10 07:10:00','2026-11-10 08:50:00','2026-11-10 09:00:00',NULL,6600,NULL,NULL,NULL,7000000,80000000,'hotspot1','00:1A:2B:3C:4D:5E','Session-Timeout','Login-User','','10.5.50.21','','','','',NULL);
/*!40000 ALTER TABLE radacct ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radcheck`
--

DROP TABLE IF EXISTS radcheck;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE radcheck (
  `id` int(11) unsigned NOT NULL AUTO_INCREMENT,
  username varchar(64) NOT NULL DEFAULT '',
  attribute varchar(64) NOT NULL DEFAULT '',
  op char(2) NOT NULL DEFAULT '==',
  `value` varchar(253) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=43 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radcheck`
--

LOCK TABLES radcheck WRITE;
/*!40000 ALTER TABLE radcheck DISABLE KEYS */;
REPLACE INTO radcheck VALUES
(1,'ahmad.saleh','Cleartext-Password',':=','ahmad-2024'),
(2,'ahmad.saleh','Expiration',':=','20 Dec 2026'),
(3,'ahmad.saleh','Simultaneous-Use',':=','1'),
(4,'O\'Neil','Cleartext-Password',':=','p\'a\"s\\s%w_d'),
(5,'O\'Neil','Expiration',':=','20 Dec 2026 18:30:00'),
(6,'omar','Cleartext-Password',':=','omar-1'),
(7,'Omar','Cleartext-Password',':=','omar-2'),
(8,'khaled ','Cleartext-Password',':=','with a blank behind its name'),
(9,'سمير','Cleartext-Password',':=','كلمة السر 🔑'),
(10,'سمير','Expiration',':=','December 31 2026 23:59:59'),
(11,'josé','Cleartext-Password',':=','contraseña'),
(12,'josé','Expiration',':=','2026-12-24 12:00:00'),
(13,'expired','Cleartext-Password',':=','late'),
(14,'expired','Expiration',':=','01 Jan 2025 00:00'),
(15,'never.ends','Cleartext-Password',':=','never'),
(16,'old.style','User-Password','==','written in the old way'),
(17,'hash.crypt','Crypt-Password',':=','$2y$10$abcdefghijklmnopqrstuuJ3h4Zb8m0Q9x1y2z3A4B5C6D7E8F9G0'),
(18,'hash.md5','MD5-Password',':=','5f4dcc3b5aa765d61d8327deb882cf99'),
(19,'hash.ssha','SSHA-Password',':=','nU4eI71bcnBGqeO0t9tXvY1u5oQzaGFz'),
(20,'hash.nt','NT-Password',':=','8846F7EAEE8FB117AD06BDD830B7586C'),
(21,'nt.and.clear','NT-Password',':=','8846F7EAEE8FB117AD06BDD830B7586C'),
(22,'nt.and.clear','Cleartext-Password',':=','password'),
(23,'empty.password','Cleartext-Password',':=',''),
(24,'rejected','Cleartext-Password',':=','stays out'),
(25,'rejected','Auth-Type',':=','Reject'),
(26,'accepted','Auth-Type',':=','Accept'),
(27,'AA:BB:CC:00:11:22','Auth-Type',':=','Accept'),
(28,'aa-bb-cc-00-11-23','Cleartext-Password',':=','aa-bb-cc-00-11-23'),
(29,'locked.device','Cleartext-Password',':=','one device'),
(30,'locked.device','Calling-Station-Id','==','00:1A:2B:3C:4D:5E'),
(31,'daily.hours','Cleartext-Password',':=','three hours'),
(32,'daily.hours','Max-Daily-Session',':=','10800'),
(33,'all.hours','Cleartext-Password',':=','ten hours'),
(34,'all.hours','Max-All-Session',':=','36000'),
(35,'days.from.first','Cleartext-Password',':=','thirty days'),
(36,'days.from.first','Access-Period',':=','2592000'),
(37,'two.groups','Cleartext-Password',':=','two groups'),
(38,'own.terms','Cleartext-Password',':=','own terms'),
(39,'static.ip','Cleartext-Password',':=','static'),
(40,'disabled.user','Cleartext-Password',':=','was put out'),
(41,'semi;colon','Cleartext-Password',':=','a;b -- c /* d */ # e `f`'),
(42,'INSERT INTO radcheck','Cleartext-Password',':=','\'); DROP TABLE radcheck; -- ');
/*!40000 ALTER TABLE radcheck ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radgroupcheck`
--

DROP TABLE IF EXISTS radgroupcheck;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE radgroupcheck (
  `id` int(11) unsigned NOT NULL AUTO_INCREMENT,
  groupname varchar(64) NOT NULL DEFAULT '',
  attribute varchar(64) NOT NULL DEFAULT '',
  op char(2) NOT NULL DEFAULT '==',
  `value` varchar(253) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=6 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radgroupcheck`
--

LOCK TABLES radgroupcheck WRITE;
/*!40000 ALTER TABLE radgroupcheck DISABLE KEYS */;
REPLACE INTO radgroupcheck VALUES
(1,'10M','Simultaneous-Use',':=','1'),
(2,'20M Gold','Simultaneous-Use',':=','3'),
(3,'hotspot-1h','Max-All-Session',':=','3600'),
(4,'10M','Framed-Protocol','==','PPP'),
(5,'daloRADIUS-Disabled-Users','Auth-Type',':=','Reject');
/*!40000 ALTER TABLE radgroupcheck ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radgroupreply`
--

DROP TABLE IF EXISTS radgroupreply;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE radgroupreply (
  `id` int(11) unsigned NOT NULL AUTO_INCREMENT,
  groupname varchar(64) NOT NULL DEFAULT '',
  attribute varchar(64) NOT NULL DEFAULT '',
  op char(2) NOT NULL DEFAULT '=',
  `value` varchar(253) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=13 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radgroupreply`
--

LOCK TABLES radgroupreply WRITE;
/*!40000 ALTER TABLE radgroupreply DISABLE KEYS */;
REPLACE INTO radgroupreply VALUES
(1,'10M','Mikrotik-Rate-Limit',':=','2M/10M'),
(2,'10M','Framed-Pool',':=','pool-10m'),
(3,'10M','Acct-Interim-Interval',':=','300'),
(4,'20M Gold','Mikrotik-Rate-Limit','=','5M/20M 10M/40M 4M/16M 10/10'),
(5,'20M Gold','Mikrotik-Address-List',':=','gold'),
(6,'20M Gold','Idle-Timeout',':=','1200'),
(7,'ذهبي','WISPr-Bandwidth-Max-Up',':=','4000000'),
(8,'ذهبي','WISPr-Bandwidth-Max-Down',':=','16000000'),
(9,'hotspot-1h','Mikrotik-Rate-Limit',':=','1M/2M'),
(10,'hotspot-1h','Session-Timeout',':=','3600'),
(11,'hotspot-1h','Mikrotik-Total-Limit',':=','1073741824'),
(12,'bad-rate','Mikrotik-Rate-Limit',':=','very fast');
/*!40000 ALTER TABLE radgroupreply ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radpostauth`
--

DROP TABLE IF EXISTS radpostauth;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE radpostauth (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  username varchar(64) NOT NULL DEFAULT '',
  pass varchar(64) NOT NULL DEFAULT '',
  reply varchar(32) NOT NULL DEFAULT '',
  authdate timestamp(6) NOT NULL DEFAULT current_timestamp(6),
  class varchar(64) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radpostauth`
--

LOCK TABLES radpostauth WRITE;
/*!40000 ALTER TABLE radpostauth DISABLE KEYS */;
REPLACE INTO radpostauth VALUES
(1,'ahmad.saleh','ahmad-2024','Access-Accept','2026-11-20 08:00:00.123456',NULL),
(2,'o\'neil','wrong \"one\"','Access-Reject','2026-11-20 09:00:00.000000',NULL);
/*!40000 ALTER TABLE radpostauth ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radreply`
--

DROP TABLE IF EXISTS radreply;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE radreply (
  `id` int(11) unsigned NOT NULL AUTO_INCREMENT,
  username varchar(64) NOT NULL DEFAULT '',
  attribute varchar(64) NOT NULL DEFAULT '',
  op char(2) NOT NULL DEFAULT '=',
  `value` varchar(253) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=10 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radreply`
--

LOCK TABLES radreply WRITE;
/*!40000 ALTER TABLE radreply DISABLE KEYS */;
REPLACE INTO radreply VALUES
(1,'own.terms','Mikrotik-Rate-Limit',':=','3M/12M 5M/20M 2M/8M 16/16 8'),
(2,'own.terms','Framed-Pool',':=','pool-own'),
(3,'static.ip','Framed-IP-Address',':=','100.64.7.7'),
(4,'static.ip','Framed-IPv6-Prefix',':=','2001:db8:7::/64'),
(5,'static.ip','Delegated-IPv6-Prefix',':=','2001:db8:700::/56'),
(6,'ahmad.saleh','Reply-Message','=','Welcome,\nthis is the \"second\" line	and a tab'),
(7,'daily.hours','Session-Timeout',':=','3600'),
(8,'daily.hours','Idle-Timeout',':=','600'),
(9,'josé','Framed-Route','+=','10.9.0.0/24 0.0.0.0 1');
/*!40000 ALTER TABLE radreply ENABLE KEYS */;
UNLOCK TABLES;

--
-- Table structure for table `radusergroup`
--

DROP TABLE IF EXISTS radusergroup;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!40101 SET character_set_client = utf8mb4 */;
CREATE TABLE radusergroup (
  `id` int(11) unsigned NOT NULL AUTO_INCREMENT,
  username varchar(64) NOT NULL DEFAULT '',
  groupname varchar(64) NOT NULL DEFAULT '',
  priority int(11) NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=31 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `radusergroup`
--

LOCK TABLES radusergroup WRITE;
/*!40000 ALTER TABLE radusergroup DISABLE KEYS */;
REPLACE INTO radusergroup VALUES
(1,'ahmad.saleh','10M',1),
(2,'O\'Neil','10M',1),
(3,'omar','10M',1),
(4,'Omar','20M Gold',1),
(5,'khaled ','20M Gold',1),
(6,'سمير','ذهبي',1),
(7,'josé','20M Gold',1),
(8,'expired','10M',1),
(9,'never.ends','10M',1),
(10,'old.style','10M',1),
(11,'hash.crypt','10M',1),
(12,'hash.md5','10M',1),
(13,'hash.nt','20M Gold',1),
(14,'nt.and.clear','20M Gold',1),
(15,'empty.password','10M',1),
(16,'rejected','10M',1),
(17,'accepted','hotspot-1h',1),
(18,'AA:BB:CC:00:11:22','hotspot-1h',1),
(19,'aa-bb-cc-00-11-23','hotspot-1h',1),
(20,'locked.device','10M',1),
(21,'daily.hours','hotspot-1h',1),
(22,'all.hours','hotspot-1h',1),
(23,'two.groups','20M Gold',10),
(24,'two.groups','10M',2),
(25,'own.terms','10M',1),
(26,'static.ip','20M Gold',1),
(27,'disabled.user','10M',1),
(28,'disabled.user','daloRADIUS-Disabled-Users',0),
(29,'semi;colon','10M',1),
(30,'only.in.a.group','10M',1);
/*!40000 ALTER TABLE radusergroup ENABLE KEYS */;
UNLOCK TABLES;

--
-- Final view structure for view `online`
--

/*!50001 DROP VIEW IF EXISTS online*/;
/*!50001 SET @saved_cs_client          = @@character_set_client */;
/*!50001 SET @saved_cs_results         = @@character_set_results */;
/*!50001 SET @saved_col_connection     = @@collation_connection */;
/*!50001 SET character_set_client      = utf8mb4 */;
/*!50001 SET character_set_results     = utf8mb4 */;
/*!50001 SET collation_connection      = utf8mb4_general_ci */;
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=root@localhost SQL SECURITY DEFINER */
/*!50001 VIEW `online` AS select radacct.username AS username,radacct.framedipaddress AS framedipaddress from radacct where radacct.acctstoptime is null */;
/*!50001 SET character_set_client      = @saved_cs_client */;
/*!50001 SET character_set_results     = @saved_cs_results */;
/*!50001 SET collation_connection      = @saved_col_connection */;
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;

/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;
/*!40101 SET CHARACTER_SET_RESULTS=@OLD_CHARACTER_SET_RESULTS */;
/*!40101 SET COLLATION_CONNECTION=@OLD_COLLATION_CONNECTION */;
/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;

-- Dump completed on 2026-11-22 12:05:51
