/** Tokens that a fixed beginning gives away. */
export interface TokenFormat {
  /** What it is, as a reader is told. */
  readonly kind: string;
  readonly prefixes: readonly string[];
  /** Source of the character class of what follows. */
  readonly characters: string;
  /** Fewer characters after the prefix are no whole token. */
  readonly min: number;
}

const letters = "[A-Za-z0-9]";
const word = "[A-Za-z0-9_-]";
const hex = "[0-9a-fA-F]";
const base64 = "[A-Za-z0-9+/=_-]";

/**
 * Formats from the vendors' documentation, checked against the rules of gitleaks (July 2026). Lengths are lower bounds: vendors
 * lengthen their tokens. A function, so that a process which redacts nothing builds nothing.
 */
export function listTokenFormats(): readonly TokenFormat[] {
  return [...listPlatforms(), ...listServices()];
}

/** Clouds, code hosts, registries and models. */
function listPlatforms(): readonly TokenFormat[] {
  return [
    format("AWS access key", ["AKIA", "ASIA", "ABIA", "ACCA"], "[A-Z0-9]", 16),
    format("AWS Bedrock key", ["ABSK", "bedrock-api-key-"], base64, 40),
    format("GitHub token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"], "[A-Za-z0-9_]", 20),
    format("GitLab token", gitlabPrefixes, "[A-Za-z0-9_.-]", 16),
    format("Slack token", slackPrefixes, "[A-Za-z0-9.-]", 16),
    format("Anthropic key", ["sk-ant-"], word, 20),
    format("OpenAI key", ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"], word, 20),
    format("OpenRouter key", ["sk-or-v1-"], letters, 20),
    format("API key", ["sk-"], letters, 32),
    format("Google key", ["AIza"], word, 30),
    format("Google token", ["ya29.", "GOCSPX-", "1//0"], word, 20),
    format("Stripe key", ["sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"], letters, 10),
    format("webhook secret", ["whsec_"], base64, 16),
    format("npm token", ["npm_"], letters, 30),
    format("PyPI token", ["pypi-AgE"], word, 40),
    format("Hugging Face token", ["hf_", "api_org_"], letters, 30),
    format("Twilio key", ["SK"], hex, 32),
    format("Mailgun key", ["key-", "pubkey-"], "[0-9a-f]", 32),
    format("DigitalOcean token", ["dop_v1_", "doo_v1_", "dor_v1_"], hex, 32),
    format("Shopify token", ["shpat_", "shpca_", "shppa_", "shpss_"], hex, 32),
    format("Square token", ["EAAA", "sq0atp-", "sq0csp-"], word, 22),
    format("Facebook token", ["EAAM", "EAAC"], letters, 80),
    format("Databricks token", ["dapi", "dose"], hex, 32),
    format("Docker token", ["dckr_pat_", "dckr_oat_"], word, 20),
    format("Vault token", ["hvs.", "hvb.", "hvr."], word, 20),
    format("Grafana token", ["glsa_", "glc_", "eyJrIjoi"], base64, 30),
  ];
}

function listServices(): readonly TokenFormat[] {
  return [
    format("Linear key", ["lin_api_", "lin_oauth_"], letters, 30),
    format("Notion token", ["ntn_"], letters, 30),
    format("Figma token", ["figd_", "figu_"], word, 30),
    format("Postman key", ["PMAK-"], word, 40),
    format("Atlassian token", ["ATATT3", "ATCTT3", "ATBB"], "[A-Za-z0-9_=-]", 24),
    format("New Relic key", ["NRAK-", "NRJS-", "NRII-"], word, 19),
    format("Dynatrace token", ["dt0c01.", "dt0s16."], "[A-Za-z0-9.]", 24),
    format("Doppler token", ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."], "[A-Za-z0-9._-]", 30),
    format("PlanetScale token", ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], "[A-Za-z0-9=_.-]", 30),
    format("Supabase key", ["sbp_", "sb_secret_"], "[A-Za-z0-9_]", 20),
    format("Sentry token", ["sntrys_", "sntryu_", "sntryi_"], base64, 40),
    format("Groq key", ["gsk_"], letters, 40),
    format("xAI key", ["xai-"], letters, 60),
    format("Perplexity key", ["pplx-"], letters, 40),
    format("Replicate token", ["r8_"], letters, 30),
    format("Netlify token", ["nfp_", "nfc_", "nfo_"], letters, 30),
    format("Fly token", ["fo1_", "fm1r_", "fm1a_", "fm2_"], base64, 40),
    format("Cloudflare key", ["v1.0-"], "[0-9a-f-]", 100),
    format("Heroku token", ["HRKU-"], word, 30),
    format("Artifactory key", ["AKCp", "cmVmd"], letters, 50),
    format("1Password token", ["ops_eyJ"], base64, 100),
    format("age key", ["AGE-SECRET-KEY-1"], "[A-Z0-9]", 50),
    format("Pulumi token", ["pul-"], hex, 40),
    format("RubyGems key", ["rubygems_"], hex, 40),
    format("Clojars token", ["CLOJARS_"], letters, 50),
    format("crates.io token", ["cio"], letters, 32),
    format("NuGet key", ["oy2"], "[a-z0-9]", 43),
    format("Prefect key", ["pnu_"], letters, 36),
    format("ReadMe key", ["rdme_"], letters, 60),
    format("Typeform token", ["tfp_"], "[A-Za-z0-9_.=-]", 50),
    format("Shippo token", ["shippo_live_", "shippo_test_"], hex, 32),
    format("EasyPost key", ["EZAK", "EZTK"], letters, 50),
    format("Duffel token", ["duffel_live_", "duffel_test_"], "[A-Za-z0-9_=-]", 40),
    format("Flutterwave key", ["FLWSECK_TEST-", "FLWPUBK_TEST-", "FLWSECK_TEST"], letters, 12),
    format("Alibaba key", ["LTAI"], letters, 17),
    format("Contentful token", ["CFPAT-"], word, 40),
    format("OpenShift token", ["sha256~"], word, 40),
    format("Infracost key", ["ico-"], letters, 32),
    format("Scalingo token", ["tk-us-"], word, 40),
    format("Harness token", ["pat.", "sat."], "[A-Za-z0-9_.-]", 60),
    format("Adobe secret", ["p8e-"], letters, 32),
    format("Frame.io token", ["fio-u-"], "[A-Za-z0-9_=-]", 60),
    format("Plaid token", ["access-sandbox-", "access-development-", "access-production-"], "[0-9a-f-]", 36),
    format("Defined Networking token", ["dnkey-"], word, 60),
    format("Settlemint token", ["sm_aat_", "sm_pat_", "sm_sat_"], letters, 16),
    format("Lob key", ["live_pub_", "test_pub_", "live_", "test_"], "[a-f0-9]", 31),
    format("Yandex token", ["t1.", "AQVN", "YCA"], "[A-Za-z0-9_.-]", 36),
    format("42 secret", ["s-s4t2ud-", "s-s4t2af-"], hex, 60),
    format("Sourcegraph token", ["sgp_"], "[0-9a-fA-F_]", 40),
    format("Brevo key", ["xkeysib-"], "[a-z0-9-]", 60),
    format("Authress key", ["scauth_"], "[A-Za-z0-9._+/=-]", 40),
    format("ClickHouse key", ["4b1d"], letters, 38),
    format("Mapbox token", ["sk.eyJ", "pk.eyJ"], "[A-Za-z0-9._-]", 60),
    format("Dropbox token", ["sl."], "[A-Za-z0-9_=-]", 60),
    format("X token", ["AAAAAAAAAA"], "[A-Za-z0-9%]", 60),
    format("Octopus key", ["API-"], "[A-Z0-9]", 26),
  ];
}

const gitlabPrefixes = [
  "glpat-",
  "gldt-",
  "glrt-",
  "glrtr-",
  "glcbt-",
  "glptt-",
  "glft-",
  "glsoat-",
  "glimt-",
  "glagent-",
  "gloas-",
  "glffct-",
  "GR1348941",
  "_gitlab_session=",
];
const slackPrefixes = [
  "xoxb-",
  "xoxp-",
  "xoxa-",
  "xoxr-",
  "xoxs-",
  "xoxo-",
  "xoxe-",
  "xoxc-",
  "xoxd-",
  "xoxe.",
  "xapp-",
];

function format(kind: string, prefixes: readonly string[], characters: string, min: number): TokenFormat {
  return { kind, prefixes, characters, min };
}
