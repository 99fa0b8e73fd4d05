--
-- PostgreSQL database dump
--

\restrict JuvnNfrpDh5m5HGZpfPUzUaqqunKEAp8P2B2zgb9kM62vdY6UGTUqTHlO0ebj93

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: log; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.log (
    id integer NOT NULL,
    line text
);


ALTER TABLE public.log OWNER TO postgres;

--
-- Name: put_in(); Type: FUNCTION; Schema: public; Owner: postgres
--

CREATE FUNCTION public.put_in() RETURNS void
    LANGUAGE sql
    BEGIN ATOMIC
 INSERT INTO public.log (line)
   VALUES ('a;b'::text);
 DELETE FROM public.log
   WHERE (log.line =
         CASE
             WHEN true THEN 'x'::text
             ELSE NULL::text
         END);
END;


ALTER FUNCTION public.put_in() OWNER TO postgres;

--
-- Name: radcheck_log(); Type: FUNCTION; Schema: public; Owner: postgres
--

CREATE FUNCTION public.radcheck_log() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
BEGIN
  IF NEW.value <> OLD.value THEN
    INSERT INTO radcheck (username) VALUES ('it''s ' || NEW.username || $$;$$);
  END IF;
  RETURN NEW;
END;
$_$;


ALTER FUNCTION public.radcheck_log() OWNER TO postgres;

--
-- Name: constructor; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.constructor (
    id integer NOT NULL,
    __proto__ text,
    tostring text
);


ALTER TABLE public.constructor OWNER TO postgres;

--
-- Name: constructor_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.constructor_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.constructor_id_seq OWNER TO postgres;

--
-- Name: constructor_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.constructor_id_seq OWNED BY public.constructor.id;


--
-- Name: log_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.log_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.log_id_seq OWNER TO postgres;

--
-- Name: log_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.log_id_seq OWNED BY public.log.id;


--
-- Name: nas; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.nas (
    id integer NOT NULL,
    nasname text,
    shortname text,
    type text,
    ports integer,
    secret text,
    server text,
    community text,
    description text
);


ALTER TABLE public.nas OWNER TO postgres;

--
-- Name: nas_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.nas_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.nas_id_seq OWNER TO postgres;

--
-- Name: nas_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.nas_id_seq OWNED BY public.nas.id;


--
-- Name: radacct; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.radacct (
    radacctid bigint NOT NULL,
    acctsessionid text,
    acctuniqueid text,
    username text,
    realm text,
    nasipaddress inet,
    nasportid text,
    nasporttype text,
    acctstarttime timestamp with time zone,
    acctupdatetime timestamp with time zone,
    acctstoptime timestamp with time zone,
    acctinterval integer,
    acctsessiontime integer,
    acctauthentic text,
    connectinfo_start text,
    connectinfo_stop text,
    acctinputoctets bigint,
    acctoutputoctets bigint,
    calledstationid text,
    callingstationid text,
    acctterminatecause text,
    servicetype text,
    framedprotocol text,
    framedipaddress inet,
    framedipv6address text,
    framedipv6prefix text,
    framedinterfaceid text,
    delegatedipv6prefix text,
    class text
);


ALTER TABLE public.radacct OWNER TO postgres;

--
-- Name: online; Type: VIEW; Schema: public; Owner: postgres
--

CREATE VIEW public.online AS
 SELECT radacct.username,
    radacct.framedipaddress
   FROM public.radacct
  WHERE (radacct.acctstoptime IS NULL);


ALTER TABLE public.online OWNER TO postgres;

--
-- Name: photos; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.photos (
    id integer NOT NULL,
    username text,
    photo bytea,
    flags bit(8)
);


ALTER TABLE public.photos OWNER TO postgres;

--
-- Name: photos_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.photos_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.photos_id_seq OWNER TO postgres;

--
-- Name: photos_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.photos_id_seq OWNED BY public.photos.id;


--
-- Name: radacct_radacctid_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.radacct_radacctid_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.radacct_radacctid_seq OWNER TO postgres;

--
-- Name: radacct_radacctid_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.radacct_radacctid_seq OWNED BY public.radacct.radacctid;


--
-- Name: radcheck; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.radcheck (
    id integer NOT NULL,
    username text,
    attribute text,
    op text,
    value text
);


ALTER TABLE public.radcheck OWNER TO postgres;

--
-- Name: TABLE radcheck; Type: COMMENT; Schema: public; Owner: postgres
--

COMMENT ON TABLE public.radcheck IS 'it''s "the" table; of \ checks';


--
-- Name: radcheck_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.radcheck_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.radcheck_id_seq OWNER TO postgres;

--
-- Name: radcheck_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.radcheck_id_seq OWNED BY public.radcheck.id;


--
-- Name: radgroupcheck; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.radgroupcheck (
    id integer NOT NULL,
    groupname text,
    attribute text,
    op text,
    value text
);


ALTER TABLE public.radgroupcheck OWNER TO postgres;

--
-- Name: radgroupcheck_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.radgroupcheck_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.radgroupcheck_id_seq OWNER TO postgres;

--
-- Name: radgroupcheck_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.radgroupcheck_id_seq OWNED BY public.radgroupcheck.id;


--
-- Name: radgroupreply; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.radgroupreply (
    id integer NOT NULL,
    groupname text,
    attribute text,
    op text,
    value text
);


ALTER TABLE public.radgroupreply OWNER TO postgres;

--
-- Name: radgroupreply_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.radgroupreply_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.radgroupreply_id_seq OWNER TO postgres;

--
-- Name: radgroupreply_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.radgroupreply_id_seq OWNED BY public.radgroupreply.id;


--
-- Name: radpostauth; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.radpostauth (
    id integer NOT NULL,
    username text,
    pass text,
    reply text,
    authdate timestamp with time zone,
    class text
);


ALTER TABLE public.radpostauth OWNER TO postgres;

--
-- Name: radpostauth_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.radpostauth_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.radpostauth_id_seq OWNER TO postgres;

--
-- Name: radpostauth_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.radpostauth_id_seq OWNED BY public.radpostauth.id;


--
-- Name: radreply; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.radreply (
    id integer NOT NULL,
    username text,
    attribute text,
    op text,
    value text
);


ALTER TABLE public.radreply OWNER TO postgres;

--
-- Name: radreply_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.radreply_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.radreply_id_seq OWNER TO postgres;

--
-- Name: radreply_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.radreply_id_seq OWNED BY public.radreply.id;


--
-- Name: radusergroup; Type: TABLE; Schema: public; Owner: postgres
--

CREATE TABLE public.radusergroup (
    id integer NOT NULL,
    username text,
    groupname text,
    priority integer
);


ALTER TABLE public.radusergroup OWNER TO postgres;

--
-- Name: radusergroup_id_seq; Type: SEQUENCE; Schema: public; Owner: postgres
--

CREATE SEQUENCE public.radusergroup_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.radusergroup_id_seq OWNER TO postgres;

--
-- Name: radusergroup_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: postgres
--

ALTER SEQUENCE public.radusergroup_id_seq OWNED BY public.radusergroup.id;


--
-- Name: constructor id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.constructor ALTER COLUMN id SET DEFAULT nextval('public.constructor_id_seq'::regclass);


--
-- Name: log id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.log ALTER COLUMN id SET DEFAULT nextval('public.log_id_seq'::regclass);


--
-- Name: nas id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.nas ALTER COLUMN id SET DEFAULT nextval('public.nas_id_seq'::regclass);


--
-- Name: photos id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.photos ALTER COLUMN id SET DEFAULT nextval('public.photos_id_seq'::regclass);


--
-- Name: radacct radacctid; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.radacct ALTER COLUMN radacctid SET DEFAULT nextval('public.radacct_radacctid_seq'::regclass);


--
-- Name: radcheck id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.radcheck ALTER COLUMN id SET DEFAULT nextval('public.radcheck_id_seq'::regclass);


--
-- Name: radgroupcheck id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.radgroupcheck ALTER COLUMN id SET DEFAULT nextval('public.radgroupcheck_id_seq'::regclass);


--
-- Name: radgroupreply id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.radgroupreply ALTER COLUMN id SET DEFAULT nextval('public.radgroupreply_id_seq'::regclass);


--
-- Name: radpostauth id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.radpostauth ALTER COLUMN id SET DEFAULT nextval('public.radpostauth_id_seq'::regclass);


--
-- Name: radreply id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.radreply ALTER COLUMN id SET DEFAULT nextval('public.radreply_id_seq'::regclass);


--
-- Name: radusergroup id; Type: DEFAULT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.radusergroup ALTER COLUMN id SET DEFAULT nextval('public.radusergroup_id_seq'::regclass);


--
-- Data for Name: constructor; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public.constructor (id, __proto__, tostring) VALUES
	(1, 'polluted', 'nothing') ON CONFLICT DO NOTHING;


--
-- Data for Name: log; Type: TABLE DATA; Schema: public; Owner: postgres
--



--
-- Data for Name: nas; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public.nas (id, nasname, shortname, type, ports, secret, server, community, description) VALUES
	(1, '10.0.0.1', 'main', 'other', 1812, 'it''s a \ secret', NULL, NULL, 'Main router'),
	(2, '10.0.0.2', 'hotspot', 'mikrotik', NULL, 'hotspot-secret', NULL, NULL, 'Café «Zentral» — مقهى'),
	(3, '10.20.0.0/16', 'towers', 'other', NULL, 'towers-secret', NULL, NULL, NULL),
	(4, 'router.example.net', 'by-name', 'other', NULL, 'secret', NULL, NULL, 'a name, no address') ON CONFLICT DO NOTHING;


--
-- Data for Name: photos; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public.photos (id, username, photo, flags) VALUES
	(1, 'ahmad.saleh', '\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff', NULL),
	(2, 'O''Neil', '\x', NULL),
	(3, 'omar', NULL, NULL) ON CONFLICT DO NOTHING;


--
-- Data for Name: radacct; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public.radacct (radacctid, acctsessionid, acctuniqueid, username, realm, nasipaddress, nasportid, nasporttype, acctstarttime, acctupdatetime, acctstoptime, acctinterval, acctsessiontime, acctauthentic, connectinfo_start, connectinfo_stop, acctinputoctets, acctoutputoctets, calledstationid, callingstationid, acctterminatecause, servicetype, framedprotocol, framedipaddress, framedipv6address, framedipv6prefix, framedinterfaceid, delegatedipv6prefix, class) VALUES
	(1, '81d00001', 'u0000000000000000000000000000001', 'ahmad.saleh', NULL, '10.0.0.1', '15728641', 'Ethernet', '2026-11-20 08:00:00+03', '2026-11-22 08:55:00+03', NULL, NULL, 175500, NULL, NULL, NULL, 1200345678, 45000123456, 'pppoe-main', 'AA:BB:CC:DD:EE:01', '', 'Framed-User', 'PPP', '100.64.0.11', NULL, NULL, NULL, NULL, NULL),
	(2, '80000a17', 'u0000000000000000000000000000002', 'AA:BB:CC:00:11:22', NULL, '10.0.0.2', 'bridge-hs', 'Wireless-802.11', '2026-11-22 07:10:00+03', '2026-11-22 08:50:00+03', NULL, NULL, 6000, NULL, NULL, NULL, 5000000, 60000000, 'hotspot1', 'AA:BB:CC:00:11:22', '', 'Login-User', NULL, '10.5.50.20', NULL, NULL, NULL, NULL, NULL),
	(3, 'deadbeef', 'u0000000000000000000000000000003', 'expired', NULL, '10.0.0.1', '1', 'Ethernet', '2024-03-01 10:00:00+03', '2024-03-01 11:00:00+03', NULL, NULL, 3600, NULL, NULL, NULL, 10, 20, 'pppoe-main', 'AA:BB:CC:DD:EE:02', '', 'Framed-User', 'PPP', '100.64.0.12', NULL, NULL, NULL, NULL, NULL),
	(4, '81d00009', 'u0000000000000000000000000000004', 'josé', NULL, '192.0.2.77', '9', 'Ethernet', '2026-11-22 06:00:00+03', NULL, NULL, NULL, 0, NULL, NULL, NULL, 0, 0, 'pppoe-x', 'AA:BB:CC:DD:EE:03', '', 'Framed-User', 'PPP', '100.64.0.13', NULL, NULL, NULL, NULL, NULL),
	(5, '81c00001', 'u0000000000000000000000000000005', 'ahmad.saleh', NULL, '10.0.0.1', '15728640', 'Ethernet', '2026-11-05 08:00:00+03', '2026-11-20 07:50:00+03', '2026-11-20 07:59:00+03', NULL, 1295940, NULL, NULL, NULL, 3000000000, 90000000000, 'pppoe-main', 'AA:BB:CC:DD:EE:01', 'User-Request', 'Framed-User', 'PPP', '100.64.0.11', NULL, NULL, NULL, NULL, NULL),
	(6, '81c00002', 'u0000000000000000000000000000006', 'O''Neil', NULL, '10.0.0.1', '15728639', 'Ethernet', '2026-10-28 08:00:00+03', '2026-11-02 07:50:00+03', '2026-11-02 08:00:00+03', NULL, 432000, NULL, NULL, NULL, 500000000, 7000000000, 'pppoe-main', 'AA:BB:CC:DD:EE:04', 'Lost-Carrier', 'Framed-User', 'PPP', '100.64.0.14', NULL, NULL, NULL, NULL, NULL),
	(7, '81b00001', 'u0000000000000000000000000000007', 'omar', NULL, '10.0.0.1', '15728630', 'Ethernet', '2026-10-01 08:00:00+03', '2026-10-09 07:50:00+03', '2026-10-09 08:00:00+03', NULL, 691200, NULL, NULL, NULL, 100, 200, 'pppoe-main', 'AA:BB:CC:DD:EE:05', 'NAS-Reboot', 'Framed-User', 'PPP', '100.64.0.15', NULL, NULL, NULL, NULL, NULL) ON CONFLICT DO NOTHING;
INSERT INTO public.radacct (radacctid, acctsessionid, acctuniqueid, username, realm, nasipaddress, nasportid, nasporttype, acctstarttime, acctupdatetime, acctstoptime, acctinterval, acctsessiontime, acctauthentic, connectinfo_start, connectinfo_stop, acctinputoctets, acctoutputoctets, calledstationid, callingstationid, acctterminatecause, servicetype, framedprotocol, framedipaddress, framedipv6address, framedipv6prefix, framedinterfaceid, delegatedipv6prefix, class) VALUES
	(8, '81c00003', 'u0000000000000000000000000000008', 'سمير', NULL, '10.0.0.1', '15728638', 'Ethernet', '2026-11-03 08:00:00+03', '2026-11-04 07:50:00+03', '2026-11-04 08:00:00+03', NULL, 86400, NULL, NULL, NULL, 9007199254740993, 9223372036854775807, 'pppoe-main', 'AA:BB:CC:DD:EE:06', '', 'Framed-User', 'PPP', '100.64.0.16', NULL, NULL, NULL, NULL, NULL),
	(9, '80000b18', 'u0000000000000000000000000000009', 'locked.device', NULL, '10.0.0.2', 'bridge-hs', 'Wireless-802.11', '2026-11-10 07:10:00+03', '2026-11-10 08:50:00+03', '2026-11-10 09:00:00+03', NULL, 6600, NULL, NULL, NULL, 7000000, 80000000, 'hotspot1', '00:1A:2B:3C:4D:5E', 'Session-Timeout', 'Login-User', '', '10.5.50.21', NULL, NULL, NULL, NULL, NULL) ON CONFLICT DO NOTHING;


--
-- Data for Name: radcheck; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public.radcheck (id, username, attribute, op, value) VALUES
	(1, 'ahmad.saleh', 'Cleartext-Password', ':=', 'ahmad-2024'),
	(2, 'ahmad.saleh', 'Expiration', ':=', '20 Dec 2026'),
	(3, 'ahmad.saleh', 'Simultaneous-Use', ':=', '1'),
	(4, 'O''Neil', 'Cleartext-Password', ':=', 'p''a"s\s%w_d'),
	(5, 'O''Neil', 'Expiration', ':=', '20 Dec 2026 18:30:00'),
	(6, 'omar', 'Cleartext-Password', ':=', 'omar-1'),
	(7, 'Omar', 'Cleartext-Password', ':=', 'omar-2') ON CONFLICT DO NOTHING;
INSERT INTO public.radcheck (id, username, attribute, op, value) VALUES
	(8, 'khaled ', 'Cleartext-Password', ':=', 'with a blank behind its name'),
	(9, 'سمير', 'Cleartext-Password', ':=', 'كلمة السر 🔑'),
	(10, 'سمير', 'Expiration', ':=', 'December 31 2026 23:59:59'),
	(11, 'josé', 'Cleartext-Password', ':=', 'contraseña'),
	(12, 'josé', 'Expiration', ':=', '2026-12-24 12:00:00'),
	(13, 'expired', 'Cleartext-Password', ':=', 'late'),
	(14, 'expired', 'Expiration', ':=', '01 Jan 2025 00:00') ON CONFLICT DO NOTHING;
INSERT INTO public.radcheck (id, username, attribute, op, value) VALUES
	(15, 'never.ends', 'Cleartext-Password', ':=', 'never'),
	(16, 'old.style', 'User-Password', '==', 'written in the old way'),
	(17, 'hash.crypt', 'Crypt-Password', ':=', '$2y$10$abcdefghijklmnopqrstuuJ3h4Zb8m0Q9x1y2z3A4B5C6D7E8F9G0'),
	(18, 'hash.md5', 'MD5-Password', ':=', '5f4dcc3b5aa765d61d8327deb882cf99'),
	(19, 'hash.ssha', 'SSHA-Password', ':=', 'nU4eI71bcnBGqeO0t9tXvY1u5oQzaGFz'),
	(20, 'hash.nt', 'NT-Password', ':=', '8846F7EAEE8FB117AD06BDD830B7586C'),
	(21, 'nt.and.clear', 'NT-Password', ':=', '8846F7EAEE8FB117AD06BDD830B7586C') ON CONFLICT DO NOTHING;
INSERT INTO public.radcheck (id, username, attribute, op, value) VALUES
	(22, 'nt.and.clear', 'Cleartext-Password', ':=', 'password'),
	(23, 'empty.password', 'Cleartext-Password', ':=', ''),
	(24, 'rejected', 'Cleartext-Password', ':=', 'stays out'),
	(25, 'rejected', 'Auth-Type', ':=', 'Reject'),
	(26, 'accepted', 'Auth-Type', ':=', 'Accept'),
	(27, 'AA:BB:CC:00:11:22', 'Auth-Type', ':=', 'Accept'),
	(28, 'aa-bb-cc-00-11-23', 'Cleartext-Password', ':=', 'aa-bb-cc-00-11-23') ON CONFLICT DO NOTHING;
INSERT INTO public.radcheck (id, username, attribute, op, value) VALUES
	(29, 'locked.device', 'Cleartext-Password', ':=', 'one device'),
	(30, 'locked.device', 'Calling-Station-Id', '==', '00:1A:2B:3C:4D:5E'),
	(31, 'daily.hours', 'Cleartext-Password', ':=', 'three hours'),
	(32, 'daily.hours', 'Max-Daily-Session', ':=', '10800'),
	(33, 'all.hours', 'Cleartext-Password', ':=', 'ten hours'),
	(34, 'all.hours', 'Max-All-Session', ':=', '36000'),
	(35, 'days.from.first', 'Cleartext-Password', ':=', 'thirty days') ON CONFLICT DO NOTHING;
INSERT INTO public.radcheck (id, username, attribute, op, value) VALUES
	(36, 'days.from.first', 'Access-Period', ':=', '2592000'),
	(37, 'two.groups', 'Cleartext-Password', ':=', 'two groups'),
	(38, 'own.terms', 'Cleartext-Password', ':=', 'own terms'),
	(39, 'static.ip', 'Cleartext-Password', ':=', 'static'),
	(40, 'disabled.user', 'Cleartext-Password', ':=', 'was put out'),
	(41, 'semi;colon', 'Cleartext-Password', ':=', 'a;b -- c /* d */ # e `f`'),
	(42, 'INSERT INTO radcheck', 'Cleartext-Password', ':=', '''); DROP TABLE radcheck; -- ') ON CONFLICT DO NOTHING;


--
-- Data for Name: radgroupcheck; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public.radgroupcheck (id, groupname, attribute, op, value) VALUES
	(1, '10M', 'Simultaneous-Use', ':=', '1'),
	(2, '20M Gold', 'Simultaneous-Use', ':=', '3'),
	(3, 'hotspot-1h', 'Max-All-Session', ':=', '3600'),
	(4, '10M', 'Framed-Protocol', '==', 'PPP'),
	(5, 'daloRADIUS-Disabled-Users', 'Auth-Type', ':=', 'Reject') ON CONFLICT DO NOTHING;


--
-- Data for Name: radgroupreply; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public.radgroupreply (id, groupname, attribute, op, value) VALUES
	(1, '10M', 'Mikrotik-Rate-Limit', ':=', '2M/10M'),
	(2, '10M', 'Framed-Pool', ':=', 'pool-10m'),
	(3, '10M', 'Acct-Interim-Interval', ':=', '300'),
	(4, '20M Gold', 'Mikrotik-Rate-Limit', '=', '5M/20M 10M/40M 4M/16M 10/10'),
	(5, '20M Gold', 'Mikrotik-Address-List', ':=', 'gold'),
	(6, '20M Gold', 'Idle-Timeout', ':=', '1200'),
	(7, 'ذهبي', 'WISPr-Bandwidth-Max-Up', ':=', '4000000') ON CONFLICT DO NOTHING;
INSERT INTO public.radgroupreply (id, groupname, attribute, op, value) VALUES
	(8, 'ذهبي', 'WISPr-Bandwidth-Max-Down', ':=', '16000000'),
	(9, 'hotspot-1h', 'Mikrotik-Rate-Limit', ':=', '1M/2M'),
	(10, 'hotspot-1h', 'Session-Timeout', ':=', '3600'),
	(11, 'hotspot-1h', 'Mikrotik-Total-Limit', ':=', '1073741824'),
	(12, 'bad-rate', 'Mikrotik-Rate-Limit', ':=', 'very fast') ON CONFLICT DO NOTHING;


--
-- Data for Name: radpostauth; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public.radpostauth (id, username, pass, reply, authdate, class) VALUES
	(1, 'ahmad.saleh', 'ahmad-2024', 'Access-Accept', '2026-11-20 08:00:00.123456+03', NULL),
	(2, 'o''neil', 'wrong "one"', 'Access-Reject', '2026-11-20 09:00:00+03', NULL) ON CONFLICT DO NOTHING;


--
-- Data for Name: radreply; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public.radreply (id, username, attribute, op, value) VALUES
	(1, 'own.terms', 'Mikrotik-Rate-Limit', ':=', '3M/12M 5M/20M 2M/8M 16/16 8'),
	(2, 'own.terms', 'Framed-Pool', ':=', 'pool-own'),
	(3, 'static.ip', 'Framed-IP-Address', ':=', '100.64.7.7'),
	(4, 'static.ip', 'Framed-IPv6-Prefix', ':=', '2001:db8:7::/64'),
	(5, 'static.ip', 'Delegated-IPv6-Prefix', ':=', '2001:db8:700::/56'),
	(6, 'ahmad.saleh', 'Reply-Message', '=', 'Welcome,
this is the "second" line	and a tab'),
	(7, 'daily.hours', 'Session-Timeout', ':=', '3600') ON CONFLICT DO NOTHING;
INSERT INTO public.radreply (id, username, attribute, op, value) VALUES
	(8, 'daily.hours', 'Idle-Timeout', ':=', '600'),
	(9, 'josé', 'Framed-Route', '+=', '10.9.0.0/24 0.0.0.0 1') ON CONFLICT DO NOTHING;


--
-- Data for Name: radusergroup; Type: TABLE DATA; Schema: public; Owner: postgres
--

INSERT INTO public.radusergroup (id, username, groupname, priority) VALUES
	(1, 'ahmad.saleh', '10M', 1),
	(2, 'O''Neil', '10M', 1),
	(3, 'omar', '10M', 1),
	(4, 'Omar', '20M Gold', 1),
	(5, 'khaled ', '20M Gold', 1),
	(6, 'سمير', 'ذهبي', 1),
	(7, 'josé', '20M Gold', 1) ON CONFLICT DO NOTHING;
INSERT INTO public.radusergroup (id, username, groupname, priority) VALUES
	(8, 'expired', '10M', 1),
	(9, 'never.ends', '10M', 1),
	(10, 'old.style', '10M', 1),
	(11, 'hash.crypt', '10M', 1),
	(12, 'hash.md5', '10M', 1),
	(13, 'hash.nt', '20M Gold', 1),
	(14, 'nt.and.clear', '20M Gold', 1) ON CONFLICT DO NOTHING;
INSERT INTO public.radusergroup (id, username, groupname, priority) VALUES
	(15, 'empty.password', '10M', 1),
	(16, 'rejected', '10M', 1),
	(17, 'accepted', 'hotspot-1h', 1),
	(18, 'AA:BB:CC:00:11:22', 'hotspot-1h', 1),
	(19, 'aa-bb-cc-00-11-23', 'hotspot-1h', 1),
	(20, 'locked.device', '10M', 1),
	(21, 'daily.hours', 'hotspot-1h', 1) ON CONFLICT DO NOTHING;
INSERT INTO public.radusergroup (id, username, groupname, priority) VALUES
	(22, 'all.hours', 'hotspot-1h', 1),
	(23, 'two.groups', '20M Gold', 10),
	(24, 'two.groups', '10M', 2),
	(25, 'own.terms', '10M', 1),
	(26, 'static.ip', '20M Gold', 1),
	(27, 'disabled.user', '10M', 1),
	(28, 'disabled.user', 'daloRADIUS-Disabled-Users', 0) ON CONFLICT DO NOTHING;
INSERT INTO public.radusergroup (id, username, groupname, priority) VALUES
	(29, 'semi;colon', '10M', 1),
	(30, 'only.in.a.group', '10M', 1) ON CONFLICT DO NOTHING;


--
-- Name: constructor_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.constructor_id_seq', 1, false);


--
-- Name: log_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.log_id_seq', 1, false);


--
-- Name: nas_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.nas_id_seq', 1, false);


--
-- Name: photos_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.photos_id_seq', 1, false);


--
-- Name: radacct_radacctid_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.radacct_radacctid_seq', 1, false);


--
-- Name: radcheck_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.radcheck_id_seq', 1, false);


--
-- Name: radgroupcheck_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.radgroupcheck_id_seq', 1, false);


--
-- Name: radgroupreply_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.radgroupreply_id_seq', 1, false);


--
-- Name: radpostauth_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.radpostauth_id_seq', 1, false);


--
-- Name: radreply_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.radreply_id_seq', 1, false);


--
-- Name: radusergroup_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.radusergroup_id_seq', 1, false);


--
-- Name: constructor constructor_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.constructor
    ADD CONSTRAINT constructor_pkey PRIMARY KEY (id);


--
-- Name: log log_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.log
    ADD CONSTRAINT log_pkey PRIMARY KEY (id);


--
-- Name: nas nas_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.nas
    ADD CONSTRAINT nas_pkey PRIMARY KEY (id);


--
-- Name: photos photos_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.photos
    ADD CONSTRAINT photos_pkey PRIMARY KEY (id);


--
-- Name: radacct radacct_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.radacct
    ADD CONSTRAINT radacct_pkey PRIMARY KEY (radacctid);


--
-- Name: radcheck radcheck_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.radcheck
    ADD CONSTRAINT radcheck_pkey PRIMARY KEY (id);


--
-- Name: radgroupcheck radgroupcheck_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.radgroupcheck
    ADD CONSTRAINT radgroupcheck_pkey PRIMARY KEY (id);


--
-- Name: radgroupreply radgroupreply_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.radgroupreply
    ADD CONSTRAINT radgroupreply_pkey PRIMARY KEY (id);


--
-- Name: radpostauth radpostauth_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.radpostauth
    ADD CONSTRAINT radpostauth_pkey PRIMARY KEY (id);


--
-- Name: radreply radreply_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.radreply
    ADD CONSTRAINT radreply_pkey PRIMARY KEY (id);


--
-- Name: radusergroup radusergroup_pkey; Type: CONSTRAINT; Schema: public; Owner: postgres
--

ALTER TABLE ONLY public.radusergroup
    ADD CONSTRAINT radusergroup_pkey PRIMARY KEY (id);


--
-- Name: radcheck radcheck_log; Type: TRIGGER; Schema: public; Owner: postgres
--

CREATE TRIGGER radcheck_log AFTER UPDATE ON public.radcheck FOR EACH ROW EXECUTE FUNCTION public.radcheck_log();


--
-- PostgreSQL database dump complete
--

\unrestrict JuvnNfrpDh5m5HGZpfPUzUaqqunKEAp8P2B2zgb9kM62vdY6UGTUqTHlO0ebj93

