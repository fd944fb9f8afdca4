import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { array, assert as assertProperty, constantFrom, oneof, property, string } from "fast-check";
import { redactRecord, redactSecrets, redactValue } from "../../lib/redact/redact-secrets.ts";

/** Made up, and joined here so that no scanner takes this file for a leak. */
const mixed = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzZ";
const take = (length: number): string => mixed.repeat(9).slice(0, length);
const hex = (length: number): string => "0f1e2d3c4b5a69788796a5b4c3d2e1f0".repeat(4).slice(0, length);

const tokens: readonly (readonly [kind: string, secret: string])[] = [
  ["AWS access key", ["AKIA", "Q7R2ZX4MNB5T6VWY"].join("")],
  ["AWS access key", ["ASIA", "Q7R2ZX4MNB5T6VWY"].join("")],
  ["GitHub token", `ghp_${take(36)}`],
  ["GitHub token", `ghs_${take(36)}`],
  ["GitHub token", `github_pat_${take(22)}_${take(59)}`],
  ["GitLab token", `glpat-${take(20)}`],
  ["Slack token", `xoxb-123456789012-1234567890123-${take(24)}`],
  ["Slack token", `xapp-1-A0123456789-1234567890123-${hex(64)}`],
  ["OpenAI key", `sk-proj-${take(74)}T3BlbkFJ${take(74)}`],
  ["API key", `sk-${take(20)}T3BlbkFJ${take(20)}`],
  ["Anthropic key", `sk-ant-api03-${take(93)}AA`],
  ["Google key", `AIza${take(35)}`],
  ["Google token", `ya29.${take(60)}`],
  ["Google token", `GOCSPX-${take(28)}`],
  ["Stripe key", `sk_live_${take(24)}`],
  ["Stripe key", `rk_test_${take(24)}`],
  ["webhook secret", `whsec_${take(32)}`],
  ["npm token", `npm_${take(36)}`],
  ["PyPI token", `pypi-AgEIcHlwaS5vcmc${take(60)}`],
  ["Hugging Face token", ["hf_", "qWeRtYuIoPaSdFgHjKlZxCvBnMqWeRtYuI"].join("")],
  ["SendGrid key", `SG.${take(22)}.${take(43)}`],
  ["Twilio key", `SK${hex(32)}`],
  ["DigitalOcean token", `dop_v1_${hex(64)}`],
  ["Shopify token", `shpat_${hex(32)}`],
  ["Docker token", `dckr_pat_${take(27)}`],
  ["Vault token", `hvs.${take(90)}`],
  ["Telegram token", `123456789:AA${take(33)}`],
  ["Mailchimp key", `${hex(32)}-us12`],
  ["JWT", `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${take(43)}`],
  ["private key", `-----BEGIN PRIVATE KEY-----\n${take(64)}\n${take(48)}\n-----END PRIVATE KEY-----`],
  [
    "private key",
    `-----BEGIN OPENSSH PRIVATE KEY-----\\n${take(64)}\\n${take(30)}==\\n-----END OPENSSH PRIVATE KEY-----`,
  ],
  ["private key", `-----BEGIN RSA PRIVATE KEY----- ${take(64)} ${take(64)}`],
];

/** What stays before the secret, the secret, what stays behind it. */
const placed: readonly (readonly [kind: string, before: string, secret: string, after: string])[] = [
  ["password", "postgres://app:", "s3cretpw", "@db.internal:5432/app"],
  ["password", "https://bob:", take(16), "@example.com/x"],
  ["credentials", "Authorization: Basic ", "Ym9iOmh1bnRlcjI=", ""],
  ["credentials", "-H 'authorization: Bearer ", take(40), "'"],
  ["token", "it sent Bearer ", take(40), " to the server"],
  ["password", "DB_PASSWORD=", "hunter2", "\nNEXT=1"],
  ["password", "PASSWORD=", "correcthorse", ""],
  ["password", '"password": "', "hunter2!", '"'],
  ["password", '{\\"password\\":\\"', "hunter2!", '\\"}'],
  ["password", "the password is `", "Tr0ub4dor&3", "`"],
  ["secret", "aws_secret_access_key = ", take(40), ""],
  ["secret", 'api_key: "', hex(32), '"'],
  ["secret", "const clientSecret = '", take(32), "';"],
  ["secret", "AccountKey=", `${take(86)}==`, ";EndpointSuffix=core.windows.net"],
  ["secret", "SECRET_KEY_BASE=", hex(64), ""],
  ["secret", "deploy --token ", take(24), " --dry-run"],
  ["webhook", "https://hooks.slack.com/services/", `T00000000/B00000000/${take(24)}`, ""],
  ["webhook", "https://discord.com/api/webhooks/", `123456789012345678/${take(68)}`, ""],
  ["signature", "https://x.blob.core.windows.net/a?sv=2022&sig=", `${take(43)}%3D`, "&se=2026"],
  ["password", "curl -s -u admin:", "hunter2", " http://localhost"],
  ["cookie", "Set-Cookie: ", `session=${take(32)}`, "; Path"],
];

const harmless: readonly string[] = [
  "commit 338591f8a0c1d2e3f4a5b6c7d8e9f00112233445 is the first bad one",
  "request 123e4567-e89b-12d3-a456-426614174000 failed",
  "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "judge/runners/failure.ts:41:12 and /home/dev/app/src/token/parse-token2.ts",
  "scikit-learn 1.5.2, sk-learn-py312, v1.0-rc.1, catstack@0.1.0-beta.12",
  "`vitest|src/app.test.ts` passed (turn 3, 2026-11-30 14:35 UTC), then failed",
  "max_tokens: 4096, token count 1234567, tokens=99999999",
  "interface Login { password: string; token?: string; secret: Buffer }",
  "const password = readPassword(); const token = await getToken2(session);",
  "password=process.env.DB_PASSWORD, token: ${{ secrets.GITHUB_TOKEN }}, secret=$SECRET_FROM_VAULT",
  'the form says password: "required" and token: "expired"',
  "API_KEY=<your-api-key>, PASSWORD=changeme, SECRET_KEY=****************",
  "secret: src/config/secret2024.ts:12, token file ./secrets/token-2024-01-02.txt",
  "postgres://localhost:5432/app and git@github.com:acme/app.git and https://example.com:8443/a@b",
  "docker run -u 1000:1000 --rm node:20",
  "the private key -----BEGIN PUBLIC KEY----- is public; a private key is needed",
  "Authorization: Bearer <token>; a Bearer authentication scheme",
  "npm_config_registry, hf_hub_download, ghp_ is a prefix, AKIA too, glpat- as well",
  "api_key: my-service-name-2024, secret_name: app-prod-secrets-01",
  "primary_key=users_id_20240102, cache_key=9f86d081884c7d659a2feaa0c55ad015",
  "id 01932f5c-7b1a-7c3d-8e4f-5a6b7c8d9e0f, pid 4294967295, 2026-11-30T14:35:07.123Z",
  "# pass 1234\n# fail 12\n# duration_ms 12345.678901",
  "token: https://example.com/docs/tokens2024/how-to",
];

describe("redactSecrets", () => {
  for (const [kind, secret] of tokens) {
    test(`takes out a ${kind} that begins ${secret.slice(0, 12)}`, () => {
      assert.equal(redactSecrets(`I read ${secret} there`), `I read [redacted: ${kind}] there`);
      assert.equal(redactSecrets(secret), `[redacted: ${kind}]`);
    });
  }

  for (const [kind, before, secret, after] of placed) {
    test(`takes out a ${kind} behind ${before}`, () => {
      assert.equal(redactSecrets(before + secret + after), `${before}[redacted: ${kind}]${after}`);
    });
  }

  for (const text of harmless)
    test(`leaves as it is: ${text.slice(0, 60)}`, () => assert.equal(redactSecrets(text), text));

  test("knows a token of a known format by its beginning where it was cut off", () => {
    assert.equal(redactSecrets(`it printed ghp_${take(9)}…`), "it printed [redacted: GitHub token]…");
    assert.equal(redactSecrets(`it printed sk-ant-api03-${take(7)}`), "it printed [redacted: Anthropic key]");
  });

  test("sees through characters that nobody sees, and drops them only then", () => {
    const token = `ghp_${take(36)}`;
    for (const unseen of ["\u200b", "\u00ad", "\u2060", "\ufe0f", "\u202e", "\u0000", "\u001b"]) {
      const spelled = token.slice(0, 9) + unseen + token.slice(9);
      assert.equal(redactSecrets(`a ${spelled} b`), "a [redacted: GitHub token] b");
      assert.equal(redactSecrets(`a${unseen}b, nothing secret`), `a${unseen}b, nothing secret`);
    }
    assert.equal(redactSecrets(`a\u200b${token}`), "a\u200b[redacted: GitHub token]");
  });

  test("finds a token behind what stands for a character in JSON and in URLs", () => {
    for (const before of ["a\\n", "x%3D", "x\\u003d"])
      assert.equal(redactSecrets(`${before}npm_${take(36)}`), `${before}[redacted: npm token]`);
  });

  test("takes out every secret of a text", () => {
    const all = tokens.map(([, secret]) => secret);
    const redacted = redactSecrets(all.join(" and "));
    assert.equal(redacted, tokens.map(([kind]) => `[redacted: ${kind}]`).join(" and "));
  });

  test("changes nothing that it has redacted, nor a secret by where it stands", () => {
    const word = oneof(
      string({ unit: "grapheme" }),
      constantFrom(...tokens.map(([, secret]) => secret)),
      constantFrom(...placed.map(([, ...parts]) => parts.join(""))),
      constantFrom("password=", "token: ", "\\n", "…", "\u200b", '"', "://", "@"),
    );
    assertProperty(
      property(array(word, { maxLength: 8 }), (words) => {
        const once = redactSecrets(words.join(" "));
        assert.equal(redactSecrets(once), once);
      }),
    );
  });

  test("takes time in proportion to a hostile text", () => {
    const pieces = [
      "-eyJ",
      "-----BEGIN PRIVATE KEY-----",
      "a://b:c",
      "curl -u a:",
      "password",
      "token: ",
      "ghp_",
      "\u200b",
    ];
    const more = [
      "SG.aaaaaaaaaaaaaaaaaaaa",
      "bearer ",
      "cookie: a=",
      "PuTTY-User-Key-File-2",
      "--pwd-pwd",
      "aaaa",
      "eyJaaaaaaaaaa.",
    ];
    const started = performance.now();
    for (const piece of [...pieces, ...more]) redactSecrets(piece.repeat(1e6 / piece.length));
    // 15 texts of 1 MB take a few seconds; one pattern that began anew at every place would take hours.
    assert.ok(performance.now() - started < 60_000);
  });
});

describe("redactValue", () => {
  test("redacts strings at any depth, and keys", () => {
    const token = `npm_${take(36)}`;
    assert.deepEqual(redactValue([{ a: [`see ${token}`], n: 1, t: true, z: null }, { [token]: "x" }]), [
      { a: ["see [redacted: npm token]"], n: 1, t: true, z: null },
      { "[redacted: npm token]": "x" },
    ]);
  });

  test("knows a secret by the key it stands under", () => {
    const given = { password: "hunter2", apiKey: hex(32), token: "expired", match: true, quote: "password" };
    assert.deepEqual(redactRecord(given), {
      password: "[redacted: password]",
      apiKey: "[redacted: secret]",
      token: "expired",
      match: true,
      quote: "password",
    });
  });
});
