/** Where the files of a version can be downloaded from, as the workflow of a release sets it. */
const PLACEHOLDER = 'https://downloads.example/dataimport';

/** The formula of Homebrew, with the hash of each archive by the name of its machine. */
export function homebrewFormula(
  version: string,
  description: string,
  hashes: ReadonlyMap<string, string>,
  address = PLACEHOLDER,
): string {
  const archive = (target: string, indent: string): string =>
    [`url "${address}/dataimport-${version}-${target}.tar.gz"`, `sha256 "${hashes.get(target)}"`]
      .map((line) => indent + line)
      .join('\n');
  const system = (name: string, target: string): string => `  on_${name} do
    on_arm do
${archive(`${target}-arm64`, '      ')}
    end
    on_intel do
${archive(`${target}-x64`, '      ')}
    end
  end
`;
  return `class Dataimport < Formula
  desc "${description.slice(0, description.indexOf(' from CSV files'))} from CSV files"
  homepage "${address}"
  version "${version}"
  license "MIT"

${system('macos', 'darwin')}
${system('linux', 'linux')}
  def install
    bin.install "dataimport"
    generate_completions_from_executable(bin/"dataimport", "completion")
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/dataimport --version").strip
  end
end
`;
}
